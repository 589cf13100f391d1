/// How all pages look. Colours of curves are near the Okabe–Ito set, darkened or lightened to a contrast of at least
/// 4.5 : 1 on their ground (WCAG 2.2, 1.4.3 and 1.4.11); dashes tell them apart as well.
enum PageLook {
  static let text = common + SuiteLook.text

  private static let common = """

    :root { color-scheme:light dark; --back:#fff; --card:#f6f8fa; --line:#d5dae0; --ink:#1b1f24; --soft:#545d66;
      --link:#0b5cad; --good:#0a6b48; --bad:#b3261e; --warn:#7a5a00; --lit:#ffe08a; --lit-ink:#1b1f24;
      --c0:#0068a5; --c1:#b34700; --c2:#00735a; --c3:#86398b; --bar:#cfe3f5; --bar-bad:#f9d4cc; --shade:#fdeeea;
      --edge:#0000004d; --gutter:3.4rem; }
    @media (prefers-color-scheme: dark) {
      :root { --back:#12161b; --card:#1a2027; --line:#39424c; --ink:#e6eaee; --soft:#a3aeb9;
        --link:#7cc0ff; --good:#4cc38a; --bad:#ff8f80; --warn:#e7c04a; --lit:#ffe08a; --lit-ink:#1b1f24;
        --c0:#5cb8ec; --c1:#f0a23c; --c2:#3fcfa5; --c3:#dd97d6; --bar:#23435e; --bar-bad:#612a22; --shade:#2c1d1c;
        --edge:#ffffff59; } }
    * { box-sizing:border-box; }
    html { scroll-padding-top:3.5rem; }
    body { margin:0; background:var(--back); color:var(--ink); font:15px/1.5 system-ui, sans-serif; }
    header, main, footer { max-width:80rem; margin:0 auto; padding:0 1rem; }
    header { padding-top:1.2rem; } footer { padding-bottom:3rem; color:var(--soft); font-size:.87em; }
    h1 { font-size:1.45rem; line-height:1.25; margin:0 0 .2rem; overflow-wrap:anywhere; }
    h2 { font-size:1.2rem; margin:2rem 0 .4rem; } h3 { font-size:1rem; margin:1.6rem 0 .4rem; }
    h4 { font-size:1rem; margin:1rem 0 .2rem; }
    a { color:var(--link); } p { margin:.4rem 0; }
    :focus-visible { outline:2px solid var(--link); outline-offset:2px; }
    .soft { color:var(--soft); font-weight:400; } .bad { color:var(--bad); }
    .skip { position:absolute; left:-99rem; } .skip:focus { left:1rem; top:.5rem; background:var(--back); padding:.3rem; }
    nav.pages { position:sticky; top:0; z-index:2; background:var(--back); border-bottom:1px solid var(--line);
      margin-top:.8rem; }
    nav.pages ul { display:flex; flex-wrap:wrap; gap:0 .3rem; list-style:none; max-width:80rem; margin:0 auto;
      padding:0 .6rem; }
    nav.pages a { display:block; padding:.55rem .6rem; color:var(--ink); text-decoration:none; }
    nav.pages a:hover { text-decoration:underline; }
    nav.pages a[aria-current] { font-weight:650; box-shadow:inset 0 -3px var(--link); }
    .severity { display:inline-block; min-width:4.6em; text-align:center; border:1px solid currentcolor;
      border-radius:.4em; padding:0 .45em; font-size:.8em; font-weight:650; }
    .severity.error { color:var(--bad); } .severity.warning { color:var(--warn); } .severity.note { color:var(--soft); }
    .severity.error::before { content:"✕ "; } .severity.warning::before { content:"▲ "; }
    .severity.note::before { content:"○ "; } .severity.pass { color:var(--good); } .severity.pass::before { content:"✓ "; }
    .severity.outage, .severity.dropped { color:var(--bad); } .severity.outage::before, .severity.dropped::before { content:"✕ "; }
    .severity.refused { color:var(--bad); } .severity.refused::before { content:"✕ "; }
    .severity:is(.pause, .slow, .zero, .nan, .range, .outside) { color:var(--warn); }
    .severity:is(.pause, .slow, .zero, .nan, .range, .outside)::before { content:"▲ "; }
    .severity:is(.closed, .clock) { color:var(--soft); } .severity:is(.closed, .clock)::before { content:"○ "; }
    .notice { border-left:3px solid var(--warn); padding:.2rem .7rem; background:var(--card); }
    .problem { border-left:3px solid var(--bad); padding:.2rem .7rem; background:var(--card); color:var(--bad); }
    .stand-outs { list-style:none; padding:0; margin:.3rem 0; } .stand-outs li { padding:.2rem 0; }
    .stand-outs a { font-variant-numeric:tabular-nums; margin:0 .3rem; }
    .wide { overflow-x:auto; background:linear-gradient(to right, var(--back) 40%, transparent) 0 0 / 2.2rem 100% no-repeat local,
      linear-gradient(to left, var(--back) 40%, transparent) 100% 0 / 2.2rem 100% no-repeat local,
      linear-gradient(to right, var(--edge), transparent) 0 0 / .9rem 100% no-repeat scroll,
      linear-gradient(to left, var(--edge), transparent) 100% 0 / .9rem 100% no-repeat scroll; }
    .wide th, .wide td { white-space:nowrap; }
    table { border-collapse:collapse; }
    th { text-align:left; font-weight:600; } thead th { color:var(--soft); font-weight:600; }
    th, td { padding:.2rem 1rem .2rem 0; vertical-align:top; overflow-wrap:anywhere; }
    tbody tr { border-top:1px solid var(--line); }
    .number { text-align:right; font-variant-numeric:tabular-nums; white-space:nowrap; }
    dl { display:grid; grid-template-columns:max-content minmax(0,1fr); gap:.15rem 1rem; margin:.3rem 0; }
    dt { color:var(--soft); } dd { margin:0; overflow-wrap:anywhere; }
    details > summary { cursor:pointer; padding:.3rem 0; overflow-wrap:anywhere; }
    details.session, details.rule { border-top:1px solid var(--line); }
    .tools { display:flex; flex-wrap:wrap; gap:.4rem; align-items:center; margin:.5rem 0; }
    button, input, select { font:inherit; color:var(--ink); background:var(--card); border:1px solid var(--soft);
      border-radius:.4em; padding:.25rem .65rem; }
    button { cursor:pointer; } button:hover { border-color:var(--link); } button:disabled { opacity:.55; cursor:default; }
    .now { font-variant-numeric:tabular-nums; color:var(--soft); }
    .zoomer { position:relative; overflow-x:auto; overflow-y:hidden; border-top:1px solid var(--line);
      touch-action:pan-x pan-y; }
    .zoomer[data-source] { touch-action:pan-y; }
    .zoomed { position:relative; width:100%; }
    .cursor { position:absolute; top:0; bottom:0; width:1px; background:var(--ink); opacity:.6; pointer-events:none; }
    figure { margin:0; padding:.35rem 0; border-bottom:1px solid var(--line); }
    figcaption { position:sticky; left:0; width:max-content; max-width:min(78rem, calc(100vw - 2rem)); font-size:.9em;
      padding-bottom:.15rem; overflow-wrap:anywhere; }
    figure.lane { padding:.1rem 0; line-height:1.3; }
    .legend { display:inline-flex; flex-wrap:wrap; gap:0 1rem; list-style:none; margin:0 0 0 .6rem; padding:0; }
    .legend li { display:inline-flex; align-items:center; gap:0 .35rem; } .beyond { color:var(--bad); }
    .value { font-variant-numeric:tabular-nums; font-weight:650; min-width:1ch; }
    svg.plot { display:block; width:100%; overflow:visible; }
    .figures svg.plot { margin-left:var(--gutter); width:calc(100% - var(--gutter)); }
    .axed { display:grid; } .axed > * { grid-area:1 / 1; }
    svg.axis { position:sticky; left:0; z-index:1; width:var(--gutter); background:var(--back); overflow:visible; }
    svg.plot svg { overflow:visible; }
    svg.key { flex:none; margin:0; vertical-align:middle; overflow:visible; }
    .panel svg.plot, .density svg.plot { overflow:hidden; }
    .shade { fill:var(--shade); } .bar.outage, .bar.refused { fill:var(--bar-bad); stroke:var(--bad); }
    .bar:is(.pause, .slow, .zero, .nan, .range, .outside, .closed, .clock) { fill:var(--shade); stroke:var(--warn); stroke-dasharray:4 2; }
    .grid { stroke:var(--line); stroke-width:1; }
    svg text { fill:var(--soft); font:11px system-ui, sans-serif; paint-order:stroke; stroke:var(--back); stroke-width:3px;
      stroke-linejoin:round; font-variant-numeric:tabular-nums; }
    svg path { fill:none; vector-effect:non-scaling-stroke; stroke-width:1.6; }
    path.bars { fill:var(--c0); stroke:none; }
    path.points { stroke-width:4; stroke-linecap:round; }
    .c0 { stroke:var(--c0); } .c1 { stroke:var(--c1); stroke-dasharray:7 2; } .c2 { stroke:var(--c2); stroke-dasharray:3 2; }
    path.sent { stroke:var(--soft); stroke-width:1.3; } path.applied { stroke:var(--c1); stroke-width:2; }
    path.delivered { stroke:var(--c0); stroke-width:5; stroke-linecap:round; } .key path.delivered { stroke-dasharray:0 8; }
    .c3 { stroke:var(--c3); stroke-dasharray:9 2 2 2; } .c4 { stroke:var(--c0); stroke-dasharray:1 2; }
    .c5 { stroke:var(--c1); stroke-dasharray:1 2; } .c6 { stroke:var(--c2); stroke-dasharray:12 3; }
    .c7 { stroke:var(--c3); }
    .mark path { stroke:var(--soft); stroke-width:1.8; fill:var(--back); } .marks.warning .mark path { stroke:var(--warn); }
    .marks.error .mark path, .mark.lost path, path.mark.lost, .lost .mark path, .mark.breach path { stroke:var(--bad); }
    .mark.late path, path.mark.late, :is(.late, .non-finite) .mark path { stroke:var(--warn); }
    .mark.changed path, path.mark.changed, .changed .mark path { stroke:var(--c3); }
    .mark.duplicated path, path.mark.duplicated, .duplicated .mark path { stroke:var(--c0); } .run h3 { margin:.8rem 0 .2rem; } .legend.counts { margin:0 0 .2rem; } a:focus-visible .mark path { stroke-width:4; }
    .bar rect { fill:var(--bar); stroke:var(--c0); } .bar text { fill:var(--ink); stroke:none; font-size:12px; }
    svg.plot svg.bar { overflow:hidden; } text.beside { fill:var(--ink); stroke:none; font-size:12px; }
    .bar:is(.replaced, .refused, .narrow.timeout) rect, .bar rect.silent { fill:var(--bar-bad); stroke:var(--bad); stroke-dasharray:4 2; }
    .side-by-side { display:flex; flex-wrap:wrap; gap:.5rem 2rem; align-items:flex-start; } .side-by-side > * { max-width:100%; }
    .fields, .bytes { font:13px/1.5 ui-monospace, monospace; } .wide .fields td, .wide .fields th { padding:.1rem .8rem .1rem .2rem; white-space:normal; overflow-wrap:anywhere; }
    .wide .fields tbody th { min-width:6rem; } .wide .fields td:last-child { min-width:9rem; }
    .bytes tbody tr { border:0; } .bytes th { color:var(--soft); font-weight:400; } .bytes td { white-space:pre; padding-right:1rem; }
    .bytes .wrong { text-decoration:underline wavy var(--bad); } .bytes .text { color:var(--soft); }
    .lit { background:var(--lit); color:var(--lit-ink); }
    .finding { margin:.2rem 0; }
    .packets { width:100%; font-size:.93em; } .packets tbody tr { cursor:pointer; }
    .packets td { white-space:pre; } 
    .packets tr[aria-selected=true] { background:var(--lit); color:var(--lit-ink); }
    .packets tr[aria-selected=true] * { color:var(--lit-ink); }
    .list { max-height:45vh; overflow:auto; border:1px solid var(--line); } .list thead th { position:sticky; top:0; background:var(--back); }
    .list th, .list td { padding:.1rem .8rem .1rem .3rem; }
    .column { font:12px ui-monospace, monospace; padding:0 .35rem; margin:.05rem 0; border-color:var(--line); color:var(--soft); }
    .column[hidden] { display:none; }
    .sliders { display:grid; grid-template-columns:repeat(auto-fill, minmax(15rem, 1fr)); gap:.5rem 1.2rem; margin:.6rem 0; }
    .sliders label { display:block; } .sliders input[type=range] { width:100%; padding:0; accent-color:var(--link); }
    .sliders output { float:right; font-variant-numeric:tabular-nums; font-weight:650; }
    code, pre { font:.9em/1.45 ui-monospace, monospace; background:var(--card); border-radius:.3em; overflow-wrap:anywhere; }
    pre { padding:.6rem .8rem; white-space:pre-wrap; margin:.4rem 0; } code { padding:.1em .35em; }
    .numbers { display:flex; flex-wrap:wrap; gap:.4rem 2rem; margin:.5rem 0; padding:0; list-style:none; }
    .numbers b { display:block; font-size:1.25rem; font-variant-numeric:tabular-nums; }
    .filter input { flex:1 1 20rem; min-width:0; font-family:ui-monospace, monospace; }
    .follow { border-left:3px solid var(--good); padding:.1rem .7rem; background:var(--card); }
    button[aria-pressed=true] { border-width:2px; border-color:var(--link); font-weight:650; }
    .help { color:var(--soft); font-size:.9em; }
    abbr[title] { text-decoration:underline dotted; text-underline-offset:.2em; cursor:help; }
    .words { color:var(--soft); font-size:.9em; } .words dt { color:var(--ink); }
    kbd { font:.85em ui-monospace, monospace; border:1px solid var(--soft); border-radius:.3em; padding:0 .3em; }
    @media (max-width: 640px) { :root { --gutter:3rem; } .minor { display:none; } .legend { display:flex; margin:0; } body { font-size:16px; }
      dl { grid-template-columns:1fr; } dt { margin-top:.3rem; }
      .packets thead { display:none; } .packets td { padding:0 .6rem 0 .3rem; }
      .packets tr[data-message] { display:grid; grid-template-columns:auto auto 1fr; justify-items:start; padding:.25rem 0; }
      .packets td:nth-child(3) { order:4; } .packets td:nth-child(4) { order:5; grid-column:span 2; }
      .packets td:nth-child(4)::before { content:"→ "; } .packets td:nth-child(6), .packets td:nth-child(7) { display:none; }
      .packets td:nth-child(8) { order:6; grid-column:1 / -1; white-space:normal; } }
    @media print { nav.pages, .tools { display:none; } }

    """
}
