/// The part of the pages' script by which a page follows what still goes on, and changes a relay's network. It stands inside of
/// `PageScript`, whose helpers it uses; what it asks for again with each news stands there in `again`.
enum FollowScript {
  static let text = """
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
          // What the sliders say is none of the named networks any more.
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

    """
}
