/// The frame of every page: head, policy, style, navigation, script.
struct PageFrame {
  /// A link of the navigation.
  struct Link {
    let name: String
    let href: String
    var isCurrent = false
  }

  let title: String
  let subtitle: String
  let links: [Link]
  let content: Markup
  /// The policy, where the page is a file: the live page sends it as a header.
  let policy: String?
  let footer: String
  /// The script of the page; nil for none.
  var script: String? = PageScript.text

  /// The whole page.
  var text: String { PageFrame.template.render(Filled(frame: self)) }

  private struct Filled {
    let frame: PageFrame
    let style = PageLook.text
  }

  private static let template = PageTemplate(
    """
    <!DOCTYPE html>
    <html lang="en">
    {{#frame}}
    <head><meta charset="utf-8">
    {{#policy}}<meta http-equiv="Content-Security-Policy" content="{{policy}}">{{/policy}}
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <meta name="referrer" content="no-referrer">
    <title>{{title}}</title>
    <link rel="icon" href="data:,">
    <style>{{{style}}}</style></head>
    <body>
    <a class="skip" href="#main">Skip to the content</a>
    <header><h1>{{title}}</h1><p class="soft">{{subtitle}}</p></header>
    <nav class="pages" aria-label="Pages"><ul>{{#links}}<li><a href="{{href}}"{{#isCurrent}} aria-current="page"{{/isCurrent}}>{{name}}</a></li>{{/links}}</ul></nav>
    <main id="main">
    {{{content}}}
    </main>
    <footer><p>{{footer}}</p></footer>
    {{#script}}<script>{{{script}}}</script>{{/script}}
    {{/frame}}
    </body>
    </html>

    """)
}
