// The files of TelecapReport that are in another language than Swift, as text in the program: it stays one file that can be copied,
// and no file is looked for when it runs. SwiftPM's `embedInCode` makes arrays of numbers of them, which take Swift's compiler seconds;
// C has #embed (C23, 6.10.4) for it.
#ifndef CREPORT_H
#define CREPORT_H

/// The script of all pages.
const char *telecap_page_script(void);

/// The style of all pages.
const char *telecap_page_style(void);

/// The engine of the Wireshark plugin.
const char *telecap_wireshark_engine(void);

#endif
