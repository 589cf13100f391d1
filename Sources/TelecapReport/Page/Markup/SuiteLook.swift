/// How what only the page of a suite shows looks: the tally, the picture of a run and its log. The rest is as on every page.
enum SuiteLook {
  static let text = """
    svg.tally { display:block; width:100%; height:.6rem; border-radius:.3rem; }
    svg.tally rect { fill:var(--soft); } svg.tally .passed { fill:var(--good); }
    svg.tally .failed, svg.tally .broken { fill:var(--bad); } svg.tally .inconclusive { fill:var(--warn); }
    .count { float:right; color:var(--soft); } details.rule > :not(summary) { clear:both; }
    .notices { border-left:3px solid var(--warn); padding:.2rem .7rem .2rem 1.6rem; background:var(--card); overflow-wrap:anywhere; }
    .breaches td:nth-child(3) { color:var(--bad); }
    .log .wide { max-height:28rem; overflow:auto; } .log table { font:12px/1.45 ui-monospace, monospace; }
    .log thead th { position:sticky; top:0; background:var(--back); }
    .log td:nth-child(n+4) { white-space:normal; min-width:18em; } .log .lost td, .log .broke td { color:var(--bad); }
    .log td:nth-child(2), .log td:last-child, .gap td { color:var(--soft); } .gap td { font-style:italic; }
    svg.run { display:block; width:100%; min-width:560px; height:auto; } svg.run .lane { stroke:var(--line); stroke-width:1; }
    svg.run svg { overflow:hidden; } .breach { stroke:var(--bad); stroke-width:1.5; stroke-dasharray:4 3; }
    path.mark { stroke:var(--soft); stroke-width:1.5; } path.mark.delivered { stroke:var(--c0); stroke-width:1.5; }
    path.mark.told, path.mark.seen, path.mark.heard, path.mark.felt { stroke:var(--c1); }
    @media print { .log .wide { max-height:none; } }

    """
}
