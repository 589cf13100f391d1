import CReport

/// The one script of all pages (`CReport/page.js`). It brings what a link cannot: values under the cursor, zoom, fields and bytes that
/// light up together, steps by keyboard; a page that follows what still goes on asks again, and a relay's page changes its network.
/// Without it everything can still be read.
enum PageScript {
  static let text = "\n" + String(cString: telecap_page_script())
}
