/// How the page looks. Colours are from the Okabe–Ito set, which people who see colours differently can tell apart.
enum PageStyle {
  static let text: StaticString = """

    :root { --back:#fff; --card:#fff; --line:#dde1e6; --ink:#1b1f24; --soft:#5c6670; --code:#f3f5f7;
      --good:#0a7a52; --bad:#c2410c; --warn:#8f6a00; --sent:#8a94a0; --delivered:#0072b2; --applied:#d55e00; }
    @media (prefers-color-scheme: dark) {
      :root { --back:#12161b; --card:#191f26; --line:#303942; --ink:#e4e8ec; --soft:#98a4b0; --code:#222a33;
        --good:#4cc38a; --bad:#ff8a5c; --warn:#e0b93f; --sent:#7d8894; --delivered:#56b4e9; --applied:#e69f00; } }
    * { box-sizing:border-box; }
    body { margin:0 auto; max-width:64rem; padding:1.5rem 1rem 4rem; background:var(--back); color:var(--ink);
      font:15px/1.5 system-ui, sans-serif; }
    h1 { font-size:1.5rem; margin:0; overflow-wrap:anywhere; }
    h2 { font-size:1.1rem; margin:2rem 0 .75rem; }
    .facts, .tests, .tally, .level, cite, figcaption { color:var(--soft); }
    cite { font-style:normal; font-size:.87em; }
    abbr { text-decoration:none; color:var(--warn); }
    .badge { display:inline-block; min-width:4.2em; padding:.05em .5em; border-radius:.4em; text-align:center;
      font-size:.78em; font-weight:700; color:var(--back); background:var(--soft); }
    .badge.passed { background:var(--good); }
    .badge.failed, .badge.broken { background:var(--bad); }
    .badge.inconclusive { background:var(--warn); }
    .counts { display:flex; flex-wrap:wrap; gap:.3rem 1.5rem; margin:1rem 0 .5rem; padding:0; list-style:none; }
    .counts .passed b { color:var(--good); } .counts .failed b, .counts .broken b { color:var(--bad); }
    .counts .inconclusive b { color:var(--warn); }
    .bar { display:flex; height:.5rem; border-radius:.25rem; overflow:hidden; background:var(--line); gap:2px; }
    .bar i { background:var(--soft); min-width:3px; } .bar .passed { background:var(--good); }
    .bar .failed, .bar .broken { background:var(--bad); } .bar .inconclusive { background:var(--warn); }
    pre, code { font:.87em/1.45 ui-monospace, monospace; background:var(--code); border-radius:.3em;
      overflow-wrap:anywhere; }
    pre { padding:.6rem .8rem; white-space:pre-wrap; } code { padding:.1em .35em; }
    .scenario { margin:0 0 .5rem; border:1px solid var(--line); border-radius:.5rem; background:var(--card); }
    .scenario[open] { padding-bottom:.8rem; }
    .scenario > summary { padding:.5rem .8rem; cursor:pointer; }
    .scenario > :not(summary) { margin:.5rem .9rem; clear:both; }
    .scenario > summary::after { content:""; display:block; clear:both; }
    .name { font-weight:600; overflow-wrap:anywhere; } .tally { float:right; }
    .shrunk { padding:.5rem .8rem; border-left:3px solid var(--bad); background:var(--code); }
    .notices { color:var(--warn); overflow-wrap:anywhere; }
    .reason { color:var(--warn); overflow-wrap:anywhere; }
    table { border-collapse:collapse; } th { text-align:left; font-weight:600; color:var(--soft); }
    th, td { padding:.2rem .9rem .2rem 0; vertical-align:top; overflow-wrap:anywhere; }
    .breaches td:nth-child(2) { color:var(--good); } .breaches td:nth-child(3) { color:var(--bad); }
    dl { display:grid; grid-template-columns:max-content minmax(0,1fr); gap:.2rem 1rem; }
    dt { color:var(--soft); } dd { margin:0; overflow-wrap:anywhere; }
    .log > summary { cursor:pointer; color:var(--soft); }
    .scroll { overflow-x:auto; } .log .scroll { max-height:28rem; overflow:auto; }
    .log table { font:12px/1.45 ui-monospace, monospace; }
    .log td { white-space:nowrap; } .log td:nth-child(4) { white-space:normal; min-width:22em; }
    .log td:last-child { white-space:normal; }
    .log td:first-child { text-align:right; } .log td:last-child { color:var(--soft); min-width:18em; }
    .log th { position:sticky; top:0; background:var(--card); }
    .log td:nth-child(2) { color:var(--soft); } .log .delivered td:nth-child(2) { color:var(--delivered); }
    .log .told td:nth-child(2) { color:var(--applied); } .log .lost td, .log .broke td { color:var(--bad); }
    .gap td { color:var(--soft); font-style:italic; }
    figcaption { display:flex; flex-wrap:wrap; gap:.2rem 1.2rem; font-size:.87em; }
    .key i { display:inline-block; width:.8em; height:.8em; margin-right:.4em; border-radius:50%; background:currentcolor; }
    .key.sent i { color:var(--sent); } .key.delivered i { color:var(--delivered); }
    .key.applied i { color:var(--applied); border-radius:0; height:.2em; vertical-align:middle; }
    .key.lost i, .key.breach i { color:var(--bad); } .key.breach i { border-radius:0; width:.15em; }
    .axis { margin-left:auto; }
    svg { display:block; width:100%; min-width:560px; height:auto; }
    svg path { fill:none; } svg text { fill:var(--soft); font:11px system-ui, sans-serif; }
    .grid, .lane { stroke:var(--line); stroke-width:1; }
    path.sent { stroke:var(--sent); stroke-width:1.3; } path.applied { stroke:var(--applied); stroke-width:2; }
    path.delivered { stroke:var(--delivered); stroke-width:5; stroke-linecap:round; }
    .mark { stroke:var(--sent); stroke-width:1.5; } .mark.delivered { stroke:var(--delivered); stroke-width:1.5; }
    .mark.told { stroke:var(--applied); } .mark.lost { stroke:var(--bad); }
    .breach { stroke:var(--bad); stroke-width:1.5; stroke-dasharray:4 3; }
    @media print { .scroll { max-height:none; } }

    """
}
