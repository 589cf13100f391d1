#include "CReport.h"

// Clang has #embed in every version of C, and says of each that it is of C23.
#pragma clang diagnostic ignored "-Wc23-extensions"

static const char page_script[] = {
#embed "page.js" suffix(, 0)
};

static const char page_style[] = {
#embed "page.css" suffix(, 0)
};

static const char wireshark_engine[] = {
#embed "wireshark.lua" suffix(, 0)
};

const char *telecap_page_script(void) { return page_script; }
const char *telecap_page_style(void) { return page_style; }
const char *telecap_wireshark_engine(void) { return wireshark_engine; }
