'use strict';
(() => {
  const $ = (selector, root = document) => root.querySelector(selector);
  const all = (selector, root = document) => [...root.querySelectorAll(selector)];
  const clamp = (value, low, high) => Math.max(low, Math.min(high, value));

  const get = async (address, options) => {
    try {
      const answer = await fetch(address, options);
      return { ok: answer.ok, text: await answer.text() };
    } catch (error) { return { ok: false, text: 'telecap has ended: start it again' }; }
  };

  // The functions that ask for a part again with each news: it shows a run or a recording that goes on.
  const again = [];

  // Values under the cursor.
  const columns = new WeakMap();
  const dataOf = figure => {
    if (!columns.has(figure)) columns.set(figure, JSON.parse($('script.columns', figure).textContent));
    return columns.get(figure);
  };
  const valueAt = (curve, share) => {
    const column = Math.floor(share * curve.of);
    let low = 0, high = curve.at.length;
    while (low < high) { const mid = (low + high) >> 1; if (curve.at[mid] <= column) low = mid + 1; else high = mid; }
    if (curve.shape === 'count') return (low > 0 && curve.at[low - 1] === column ? curve.low[low - 1] : '0') + ' here';
    if (curve.shape === 'words') {
      // Of the marks beside the cursor the nearest, where it is near enough to be meant.
      const away = place => Math.abs(curve.at[place] + 0.5 - share * curve.of);
      const near = [low - 1, low].filter(place => curve.at[place] !== undefined && away(place) < 1.5);
      return near.length ? curve.low[near.reduce((a, b) => away(b) < away(a) ? b : a)] : '';
    }
    if (low === 0) return '';
    const [place, a, b] = [low - 1, curve.low[low - 1], curve.high[low - 1]];
    const isBehind = column > curve.at[place];
    if (isBehind && low === curve.at.length && !curve.on) return '';
    if (isBehind && low < curve.at.length && curve.shape === 'saw') {
      // From one message to the next it grows.
      const part = (share * curve.of - curve.at[place]) / (curve.at[low] - curve.at[place]);
      return (Number(a) + part * (Number(curve.high[low]) - Number(a))).toFixed(1);
    }
    return a === b ? a : a + ' … ' + b;
  };
  const point = share => {
    const figures = $('#figures');
    if (!figures) return;
    let line = $('.cursor', figures.parentElement);
    if (!line) {
      line = document.createElement('div');
      line.className = 'cursor';
      figures.parentElement.append(line);
    }
    line.style.left = 'calc(var(--gutter) + (100% - var(--gutter)) * ' + share + ')';
    const from = Number(figures.dataset.from), until = Number(figures.dataset.until);
    const now = $('#now'), here = $('#here'), time = from + share * (until - from);
    if (now) now.textContent = time.toFixed(4) + ' s';
    if (here) here.search = '?at=' + time.toFixed(9);
    for (const figure of all('figure:has(script.columns)', figures))
      for (const output of all('.value', figure)) {
        const value = valueAt(dataOf(figure)[output.dataset.curve], share), unit = output.dataset.unit;
        output.textContent = value && unit ? value + ' ' + unit : value;
      }
  };

  // A group of many links is one stop of the Tab key: arrows go on from there.
  const groups = 'svg[role=group], #columns, .message tbody';
  const stops = group => all('a[href], button, tr[tabindex]', group).filter(one => !one.hidden);
  const rove = root => all(groups, root).forEach(group =>
    stops(group).forEach((one, place) => one.setAttribute('tabindex', place ? -1 : 0)));
  document.addEventListener('keydown', event => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return;
    const group = event.target.closest(groups);
    const by = { ArrowLeft: -1, ArrowUp: -1, ArrowRight: 1, ArrowDown: 1, Home: -1e9, End: 1e9 }[event.key];
    if (!group || !by) return;
    const found = stops(group), place = found.indexOf(event.target.closest('a, button, tr'));
    if (place < 0) return;
    const next = found[clamp(place + by, 0, found.length - 1)];
    found.forEach(one => one.setAttribute('tabindex', one === next ? 0 : -1));
    next.focus();
    event.preventDefault();
    event.stopPropagation();
  });
  rove(document);

  // Zoom: the live page asks the server for other columns, a file is made wider.
  const zoomer = $('.zoomer');
  if (zoomer) {
    const zoomed = $('.zoomed', zoomer);
    const figures = () => $('#figures');
    const whole = { from: Number(zoomer.dataset.from), until: Number(zoomer.dataset.until) };
    let view = { from: Number(figures().dataset.from), until: Number(figures().dataset.until) };
    const source = zoomer.dataset.source;
    let share = 0.5, asking = null, more = false, drawn = () => {};
    const span = $('#span');
    // Beside the curves stand the numbers of their axes.
    const gutter = () => {
      const plot = $('svg.plot', figures());
      return plot ? plot.getBoundingClientRect().left - figures().getBoundingClientRect().left : 0;
    };
    const ask = async () => {
      if (asking) { more = true; return; }
      do {
        more = false;
        const query = new URLSearchParams(location.search);
        query.set('from', view.from); query.set('until', view.until); query.delete('at');
        // Before the answer: the address also has a view that is asked for meanwhile.
        history.replaceState(null, '', '?' + query);
        asking = get(source + '?' + query);
        const answer = await asking;
        if (answer.ok) {
          // Unfolded details stay unfolded.
          const further = $('details.further[open]', zoomed);
          zoomed.innerHTML = answer.text;
          if (further && $('details.further', zoomed)) $('details.further', zoomed).open = true;
          rove(zoomed); point(share); drawn();
        }
        $('#status').textContent = answer.ok ? '' : answer.text;
        asking = null;
      } while (more);
      document.body.dataset.drawn = view.from + ' ' + view.until;
    };
    const show = (from, until) => {
      const least = Math.max((whole.until - whole.from) / 1e7, 1e-5);
      const length = clamp(until - from, least, whole.until - whole.from);
      const start = clamp(from, whole.from, whole.until - length);
      view = { from: start, until: start + length };
      if (span) span.textContent = view.from.toFixed(3) + ' … ' + view.until.toFixed(3) + ' s';
      if (source) return ask();
      const scale = (whole.until - whole.from) / length;
      zoomed.style.width = 'calc(var(--gutter) + (100% - var(--gutter)) * ' + Math.min(scale, 200) + ')';
      zoomer.scrollLeft = (start - whole.from) / (whole.until - whole.from) * (zoomed.clientWidth - gutter());
    };
    const zoom = (factor, at = share) => {
      const length = view.until - view.from, center = view.from + at * length;
      show(center - at * length * factor, center + (1 - at) * length * factor);
    };
    const pan = part => show(view.from + part * (view.until - view.from), view.until + part * (view.until - view.from));
    const actions = {
      in: () => zoom(0.5), out: () => zoom(2), left: () => pan(-0.25), right: () => pan(0.25),
      all: () => show(whole.from, whole.until),
    };
    const keys = { '+': 'in', '=': 'in', '-': 'out', '_': 'out', '0': 'all', Home: 'all' };
    all('[data-zoom]').forEach(button => button.addEventListener('click', () => actions[button.dataset.zoom]()));
    zoomer.addEventListener('keydown', event => {
      if (event.target !== zoomer || event.ctrlKey || event.metaKey || event.altKey) return;
      const key = event.key;
      if (keys[key]) actions[keys[key]]();
      else if (key === 'ArrowLeft' || key === 'ArrowRight') {
        const step = key === 'ArrowLeft' ? -1 : 1;
        if (event.shiftKey) actions[step < 0 ? 'left' : 'right']();
        else move(clamp(share + step / 200, 0, 1));
      } else if (key === 'Enter' && here) here.click();
      else return;
      event.preventDefault();
    });
    // The place of the cursor, as a share of what is shown.
    const move = value => { share = value; point(source ? value : shareOfFile(value)); };
    const here = $('#here');
    if (here) zoomer.addEventListener('dblclick', event => { if (!event.target.closest('a, summary')) here.click(); });
    const shareOfFile = value => (view.from + value * (view.until - view.from) - whole.from) / (whole.until - whole.from);
    const shareAt = event => {
      const box = zoomer.getBoundingClientRect(), beside = gutter();
      return clamp((event.clientX - box.left - beside) / (box.width - beside), 0, 1);
    };
    let drag = null, pinch = null;
    // The fingers on the curves, by their pointers.
    const fingers = new Map();
    const spread = ([a, b]) => ({
      at: shareAt({ clientX: (a.clientX + b.clientX) / 2 }),
      apart: Math.max(20, Math.hypot(a.clientX - b.clientX, a.clientY - b.clientY)),
    });
    zoomer.addEventListener('pointermove', event => {
      if (fingers.has(event.pointerId)) fingers.set(event.pointerId, event);
      if (pinch) {
        // Two fingers zoom: the time that lay between them stays there.
        if (fingers.size !== 2) return;
        const { at, apart } = spread([...fingers.values()]), length = pinch.length * pinch.apart / apart;
        show(pinch.time - at * length, pinch.time + (1 - at) * length);
      } else if (drag) {
        const part = (drag.x - event.clientX) / (zoomer.clientWidth - gutter()) * (drag.until - drag.from);
        show(drag.from + part, drag.until + part);
      } else move(shareAt(event));
    });
    zoomer.addEventListener('pointerdown', event => {
      if (event.button !== 0) return;
      const isFinger = event.pointerType === 'touch';
      if (isFinger) {
        if (event.isPrimary) fingers.clear();
        fingers.set(event.pointerId, event);
        if (fingers.size === 2) {
          const { at, apart } = spread([...fingers.values()]), length = view.until - view.from;
          [drag, pinch] = [null, { apart, length, time: view.from + at * length }];
          // The curves under the fingers are drawn anew meanwhile.
          for (const id of fingers.keys()) zoomer.setPointerCapture(id);
          return;
        }
      }
      if (event.target.closest('a, summary')) return;
      if (isFinger) move(shareAt(event));
      // A file is scrolled by a finger; the live page has nothing to scroll.
      if (isFinger && !source) return;
      drag = { x: event.clientX, from: view.from, until: view.until };
      zoomer.setPointerCapture(event.pointerId);
    });
    for (const name of ['pointerup', 'pointercancel']) zoomer.addEventListener(name, event => {
      fingers.delete(event.pointerId);
      drag = null;
      if (fingers.size < 2) pinch = null;
    });
    // The browser neither zooms the page by the two fingers nor scrolls it.
    const keep = event => { if (pinch && event.cancelable) event.preventDefault(); };
    zoomer.addEventListener('touchstart', event => {
      keep(event);
      if (pinch) for (const touch of event.touches) touch.target.addEventListener('touchmove', keep, { passive: false });
    }, { passive: false });
    zoomer.addEventListener('wheel', event => {
      if (!event.ctrlKey && !event.metaKey) return;
      event.preventDefault();
      zoom(event.deltaY > 0 ? 1.25 : 0.8, shareAt(event));
    }, { passive: false });
    if (!source) {
      zoomer.addEventListener('scroll', () => {
        const length = view.until - view.from;
        const from = whole.from + zoomer.scrollLeft / (zoomed.clientWidth - gutter()) * (whole.until - whole.from);
        view = { from, until: from + length };
        if (span) span.textContent = view.from.toFixed(3) + ' … ' + view.until.toFixed(3) + ' s';
      });
      document.addEventListener('click', event => {
        const link = event.target.closest('a.to-time');
        const place = link && /^#timeline:([^:]+):([^:]+):([^:]+)$/.exec(link.getAttribute('href'));
        if (!place) return;
        event.preventDefault();
        $('#timeline').scrollIntoView();
        show(Number(place[1]), Number(place[2]));
        share = shareOf(place[3]);
        zoomer.focus({ preventScroll: true });
      });
    }
    const shareOf = time => clamp((Number(time) - view.from) / (view.until - view.from), 0, 1);
    zoomer.addEventListener('focus', () => move(share));
    // A link to a moment puts the cursor there.
    const cursor = new URLSearchParams(location.search).get('at');
    if (cursor) move(shareOf(cursor));
    // A view that reaches to the end goes on with it, all or the last part of it; an earlier one stays.
    if (source === 'timeline/figures') again.push(news => {
      const end = whole.until, added = news.until - end;
      whole.until = news.until;
      zoomer.dataset.until = news.until;
      if (added === 0 || view.until < end - 1e-6) return null;
      return view.from <= whole.from ? show(whole.from, news.until) : show(view.from + added, news.until);
    });

    // Sliders: each move runs the recording again, and what was asked for meanwhile is asked for once.
    const form = $('#what-if');
    if (form) {
      const run = () => {
        const query = new URLSearchParams(location.search);
        for (const [name, value] of new FormData(form)) query.set(name, value);
        history.replaceState(null, '', '?' + query);
        return ask();
      };
      // Another network moves the sliders to its numbers.
      drawn = () => {
        const standing = $('#standing') && JSON.parse($('#standing').textContent);
        if (!standing || standing.of === form.elements.of.value || standing.of !== form.elements.network.value) return;
        form.elements.of.value = standing.of;
        for (const { name, label, value, step } of standing.sliders) {
          const slider = form.elements[name];
          slider.parentElement.firstChild.textContent = label + ' ';
          [slider.step, slider.value] = [step, value];
          $('output', slider.parentElement).textContent = value + ' ' + slider.dataset.unit;
        }
        const query = new URLSearchParams(location.search);
        for (const [name, value] of new FormData(form)) query.set(name, value);
        history.replaceState(null, '', '?' + query);
      };
      form.addEventListener('input', event => {
        const output = event.target.type === 'range' && $('output', event.target.parentElement);
        if (output) output.textContent = event.target.value + ' ' + event.target.dataset.unit;
        run();
      });
      form.addEventListener('submit', event => { event.preventDefault(); run(); });
      $('#copy').addEventListener('click', async () => {
        try {
          await navigator.clipboard.writeText($('#command').textContent);
          $('#copied').textContent = 'copied';
        } catch (error) {
          getSelection().selectAllChildren($('#command'));
          $('#copied').textContent = 'selected: copy it with your keyboard';
        }
      });
    }
  }

  // A link to what is folded unfolds it.
  const unfold = () => {
    if (!/^#[\w-]+$/.test(location.hash)) return;
    const target = $(location.hash);
    for (let part = target; part; part = part.parentElement) if (part.tagName === 'DETAILS') part.open = true;
    if (target) target.scrollIntoView();
  };
  addEventListener('hashchange', unfold);
  document.addEventListener('click', event => {
    const link = event.target.closest('a[href^="#"]');
    if (link && link.getAttribute('href') === location.hash) unfold();
  });
  unfold();

  // A field and its bytes.
  const light = target => {
    all('.lit').forEach(one => one.classList.remove('lit'));
    const part = target && target.closest('[data-field]');
    if (!part) return;
    const message = part.closest('.message');
    // A byte may be of several fields.
    part.dataset.field.split(' ').forEach(field =>
      all('[data-field~="' + Number(field) + '"]', message).forEach(one => one.classList.add('lit')));
  };
  document.addEventListener('pointerover', event => { if (event.target.closest('.message')) light(event.target); });
  document.addEventListener('focusin', event => { if (event.target.closest('[data-field]')) light(event.target); });

  // A page that waits for the capture to be read looks again by itself.
  if ($('[data-waiting]')) setTimeout(() => location.reload(), 700);

  // Only the first page of the capture shows whether it holds what it may.
  const damage = $('[data-damage]');
  if (damage) get(damage.dataset.damage).then(answer => { if (answer.ok) damage.innerHTML = answer.text; });

  // The list of messages, by keyboard.
  const list = $('#list');
  if (list) {
    const rows = () => all('tr[data-message]', list);
    const current = () => $('tr[aria-selected="true"]', list);
    const query = more => {
      const own = new URLSearchParams(location.search);
      for (const name of ['after', 'before', 'message', 'packet', 'newest']) own.delete(name);
      for (const name in more) own.set(name, more[name]);
      return '?' + own;
    };
    let wanted = 0;
    const select = async row => {
      if (!row) return;
      const old = current();
      if (old) old.setAttribute('aria-selected', 'false');
      row.setAttribute('aria-selected', 'true');
      row.scrollIntoView({ block: 'nearest' });
      const number = ++wanted;
      const answer = await get('packets/detail' + query({ message: row.dataset.message }));
      if (number !== wanted) return;
      if (!answer.ok) { $('#detail').textContent = answer.text; return; }
      $('#detail').innerHTML = answer.text;
      rove($('#detail'));
      document.body.dataset.shown = row.dataset.message;
      const place = new URLSearchParams(location.search);
      place.set('message', row.dataset.message);
      history.replaceState(null, '', '?' + place);
    };
    const turn = async (link, last) => {
      if (!link) return;
      const address = link.getAttribute('href');
      const answer = await get('packets/rows' + address);
      if (!answer.ok) { $('#detail').textContent = answer.text; return; }
      list.innerHTML = answer.text;
      history.replaceState(null, '', address);
      $('.list', list).focus();
      const found = rows();
      await select(last ? found[found.length - 1] : found[0]);
    };
    const step = by => {
      const found = rows();
      const place = found.indexOf(current()) + by;
      if (place < 0) return turn($('#earlier'), true);
      if (place >= found.length) return turn($('#later'), false);
      return select(found[place]);
    };
    document.addEventListener('keydown', event => {
      if (event.ctrlKey || event.metaKey || event.altKey) return;
      if (event.target.closest('input, button, select, a:not([tabindex="-1"])')) {
        if (event.key === 'Escape') event.target.blur();
        return;
      }
      // A field has taken its arrows for itself.
      if (event.defaultPrevented) return;
      if (event.key === '/') $('#where').focus();
      else if (event.key === 'Escape' && event.target.closest('#detail')) $('.list', list).focus();
      else if (event.key === 'ArrowDown' || event.key === 'j') step(1);
      else if (event.key === 'ArrowUp' || event.key === 'k') step(-1);
      else if (event.key === 'PageDown') turn($('#later'), false);
      else if (event.key === 'PageUp') turn($('#earlier'), true);
      else if (event.key === 'End') turn($('#newest'), true);
      else if (event.key === 'Enter') { const field = $('tr[data-field]', $('#detail')); if (field) field.focus(); }
      else return;
      event.preventDefault();
    });
    list.addEventListener('click', event => {
      const row = event.target.closest('tr[data-message]');
      if (row) { event.preventDefault(); select(row); return; }
      const link = event.target.closest('#earlier, #later, #newest');
      if (link) { event.preventDefault(); turn(link, link.id !== 'later'); }
    });
    // The end of the list grows; whoever is at its last message goes on with it.
    again.push(async () => {
      if ($('#later', list)) return;
      const old = current(), found = rows();
      const isLast = !old || found.indexOf(old) === found.length - 1;
      const answer = await get('packets/rows' + query({ newest: 1 }));
      if (!answer.ok) return;
      const hadFocus = list.contains(document.activeElement);
      list.innerHTML = answer.text;
      const marked = current();
      if (marked) marked.setAttribute('aria-selected', 'false');
      if (hadFocus) $('.list', list).focus({ preventScroll: true });
      const now = rows();
      const same = old && now.find(row => row.dataset.message === old.dataset.message);
      if (isLast) return select(now[now.length - 1]);
      if (same) same.setAttribute('aria-selected', 'true');
    });
    // Columns complete the word before the cursor.
    const where = $('#where');
    const word = () => /[A-Za-z_]*$/.exec(where.value.slice(0, where.selectionStart))[0];
    const offer = () => {
      const begun = word().toLowerCase();
      for (const button of all('.column')) button.hidden = begun !== '' && !button.dataset.column.startsWith(begun);
      rove(document);
    };
    // Tab takes what all that are offered begin with, or else the first of them; where nothing is begun it leaves.
    where.addEventListener('keydown', event => {
      const begun = word(), found = all('.column').filter(one => !one.hidden).map(one => one.dataset.column);
      if (event.key !== 'Tab' || event.shiftKey || begun === '' || !found.length || found.includes(begun)) return;
      let common = found[0];
      for (const one of found) while (!one.startsWith(common)) common = common.slice(0, -1);
      const end = where.selectionStart;
      where.setRangeText(common.length > begun.length ? common : found[0], end - begun.length, end, 'end');
      offer();
      event.preventDefault();
    });
    where.addEventListener('input', offer);
    all('.column').forEach(button => button.addEventListener('click', () => {
      const end = where.selectionStart, begun = word();
      where.setRangeText(button.dataset.column, end - begun.length, end, 'end');
      where.focus();
      offer();
    }));
    // Whose filter was wrong goes on writing it.
    if ($('.problem')) { where.focus({ preventScroll: true }); where.setSelectionRange(where.value.length, where.value.length); }
    else if (!location.search.includes('where=') || current()) $('.list', list).focus({ preventScroll: true });
  }
  // Parts of the page as the server draws them now: what was unfolded stays so, and the focus where it was.
  if ($('[data-again]')) again.push(async () => {
    const answer = await get(location.href.split('#')[0]);
    if (!answer.ok) return;
    const drawn = all('[data-again]', new DOMParser().parseFromString(answer.text, 'text/html'));
    all('[data-again]').forEach((part, number) => {
      if (!drawn[number] || drawn[number].innerHTML === part.innerHTML) return;
      const places = () => all('a, summary, [tabindex]', part);
      const focus = places().indexOf(document.activeElement);
      const open = all('details[id]', part).map(one => [one.id, one.open]);
      part.innerHTML = drawn[number].innerHTML;
      for (const [id, isOpen] of open) {
        const one = document.getElementById(id);
        if (one && isOpen) one.open = true;
      }
      if (focus >= 0 && places()[focus]) places()[focus].focus({ preventScroll: true });
    });
  });

  // Sliders of a relay's network: what was moved meanwhile is sent once more.
  const network = $('#network');
  if (network) {
    let busy = false, more = false;
    // A named network moves all sliders: the page is drawn anew.
    const choose = async () => {
      const asked = { network: network.elements.network.value, way: network.elements.way.value };
      const answer = await get(network.getAttribute('action'), { method: 'POST', body: new URLSearchParams(asked) });
      if (answer.ok) return location.reload();
      $('#changed').textContent = answer.text;
      $('#changed').className = 'bad';
    };
    const send = async () => {
      more = true;
      if (busy) return;
      busy = true;
      while (more) {
        more = false;
        const asked = new URLSearchParams(new FormData(network));
        asked.delete('network');
        const answer = await get(network.getAttribute('action'), { method: 'POST', body: asked });
        $('#changed').textContent = answer.text;
        $('#changed').className = answer.ok ? '' : 'bad';
      }
      busy = false;
    };
    network.addEventListener('input', event => {
      const output = event.target.type === 'range' && $('output', event.target.parentElement);
      if (output) output.textContent = event.target.value + ' ' + event.target.dataset.unit;
      if (event.target.name === 'network') return choose();
      // The sliders no longer have the values of a named network.
      if (event.target.type === 'range') network.elements.network.selectedIndex = 0;
      send();
    });
    network.addEventListener('submit', event => { event.preventDefault(); send(); });
  }

  // News of what still goes on.
  const follow = $('#follow');
  if (follow) {
    let events = null, news = null, drawn = 0, busy = false, isOver = false;
    const hold = $('#hold');
    const isHeld = () => hold.getAttribute('aria-pressed') === 'true';
    const say = words => { if ($('#follow-state').textContent !== words) $('#follow-state').textContent = words; };
    const draw = async () => {
      if (busy) return;
      busy = true;
      while (news && news.number !== drawn && !isHeld()) {
        drawn = news.number;
        const now = news;
        for (const one of again) if (now.until !== undefined || one.length === 0) await one(now);
        document.body.dataset.news = drawn;
        await new Promise(done => setTimeout(done, 150));
      }
      busy = false;
      if (isOver && events) { events.close(); events = null; }
    };
    const take = event => {
      const told = JSON.parse(event.data);
      if (news && told.number === news.number) return;
      news = told;
      $('#follow-news').textContent = told.words;
      draw();
    };
    const listen = () => {
      if (events || isOver) return;
      events = new EventSource(follow.dataset.events);
      events.addEventListener('open', () => say(isHeld() ? 'held' : 'following'));
      events.addEventListener('news', take);
      events.addEventListener('over', event => { isOver = true; hold.disabled = true; say('ended'); take(event); });
      events.addEventListener('error', () => {
        if (!isOver) say(events && events.readyState === 2 ? 'not followed: load the page again' : 'the connection is lost: telecap has ended, or was killed; what it stored is in its file');
      });
    };
    hold.addEventListener('click', () => {
      hold.setAttribute('aria-pressed', String(!isHeld()));
      say(isHeld() ? 'held' : 'following');
      draw();
    });
    // A browser has few connections to one server: a page that nobody sees needs none.
    const look = () => {
      if (!document.hidden) listen();
      else if (events) { events.close(); events = null; }
    };
    document.addEventListener('visibilitychange', look);
    look();
  }
})();
