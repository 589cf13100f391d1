/// A message's fields and bytes, side by side: what is pointed at in one is lit in both.
enum MessageMarkup {
  static func tree(_ detail: MessageDetail) -> Markup { Markup(template, detail) }

  private static let template = PageTemplate(
    """
    <div class="message">
    <p><b>{{title}}</b>{{#severity}} <span class="severity {{severity}}">{{severity}}</span>{{/severity}} <span class="soft">{{meaning}}</span></p>
    {{#missing}}<p class="soft">{{missing}}</p>{{/missing}}
    <div class="side-by-side">
    <div class="wide" tabindex="0" role="group" aria-label="Fields of {{title}}"><table class="fields"><thead><tr><th scope="col" class="number">at</th><th scope="col">field</th><th scope="col">value</th></tr></thead>
    <tbody>{{#rows}}<tr data-field="{{index}}" tabindex="0"{{#severity}} class="{{severity}}"{{/severity}}><td class="number">{{offset}}</td><th scope="row"{{#meaning}} title="{{meaning}}"{{/meaning}}>{{name}}</th><td>{{value}}{{#finding}} <span class="severity {{severity}}">{{severity}}</span>{{/finding}}</td></tr>{{/rows}}</tbody></table></div>
    <div class="wide" tabindex="0" role="group" aria-label="Bytes of {{title}}"><table class="bytes"><tbody>{{#lines}}<tr><th scope="row">{{offset}}</th><td>{{#bytes}}<span{{#fields}} data-field="{{fields}}"{{/fields}}{{#isWrong}} class="wrong"{{/isWrong}}>{{hex}}</span> {{/bytes}}</td><td class="text">{{text}}</td></tr>{{/lines}}</tbody></table></div>
    </div>
    {{#findings}}<p class="finding"><span class="severity {{severity}}">{{severity}}</span> {{rule}}: {{text}}</p>{{/findings}}
    </div>
    """)
}
