// Replays a game. The server has played it already: here, cards are only moved about.
"use strict";
{
  const game = JSON.parse(document.getElementById("game").textContent);
  const find = (selector, within = document) => within.querySelector(selector);
  const felt = document.getElementById("felt");
  const looks = document.getElementById("looks");
  const list = document.getElementById("steps");
  const seats = [0, 1, 2].map((seat) => find(`.seat-${seat}`, felt));
  const spots = [0, 1, 2].map((seat) => find(`.spot-${seat}`, felt));
  const SUITS = { S: "♠", C: "♣", D: "♦", H: "♥" };
  const SUIT_NAMES = { S: "spades", C: "clubs", D: "diamonds", H: "hearts" };
  const RANKS = { 9: "9", J: "jack", Q: "queen", K: "king", T: "10", A: "ace" };
  const ORDER = [..."HDCS"].flatMap((suit) => [..."ATKQJ9"].map((rank) => rank + suit));
  const BARREL_DEALS = 3;
  const PLAY_MS = 900;

  let deal = 0;
  let step = 0;
  let timer = 0;
  let listed = "";

  const sorted = (cards) => [...cards].sort((a, b) => ORDER.indexOf(a) - ORDER.indexOf(b));

  const only = (from, names) =>
    Object.fromEntries(names.filter((name) => name in from).map((name) => [name, from[name]]));

  /** How the deal stands after its steps 0 to `last`. */
  function stateAt({ hands, talon, steps, before, barrel, scores, barrel_after: after }, last) {
    const state = {
      hands: hands.map((hand) => [...hand]), talon, shown: false, trick: [], said: ["", "", ""],
      known: [[], [], []], fresh: new Set(), scores: before, barrel,
      contract: 0, declarer: null, trump: null, points: [0, 0, 0],
    };
    steps.slice(0, last + 1).forEach((each) => {
      state.fresh = new Set();
      Object.assign(state, only(each, ["contract", "declarer", "trump", "points", "known"]));
      if (each.kind === "bid") {
        state.said[each.seat] = each.text.endsWith("passes") ? "pass" : String(state.contract);
      } else if (each.kind === "talon") {
        state.shown = true;
        state.said = ["", "", ""];
        state.hands[each.seat].push(...talon);
        state.fresh = new Set(talon);
      } else if (each.kind === "give") {
        each.gifts.forEach((card, place) => {
          const hand = state.hands[each.seat];
          hand.splice(hand.indexOf(card), 1);
          state.hands[(each.seat + 1 + place) % 3].push(card);
          state.fresh.add(card);
        });
      } else if (each.kind === "play") {
        if (state.trick.length === 3) state.trick = [];
        const hand = state.hands[each.seat];
        hand.splice(hand.indexOf(each.card), 1);
        state.trick.push({ seat: each.seat, card: each.card });
      } else if (each.kind === "result") {
        state.scores = scores;
        state.barrel = after;
      }
    });
    return { ...state, now: steps[last] };
  }

  function element(tag, name, text) {
    const made = document.createElement(tag);
    made.className = name;
    if (text !== undefined) made.textContent = text;
    return made;
  }

  function cardElement(card, extra = "") {
    const made = element("span", `card suit-${card[1]} ${extra}`);
    made.setAttribute("role", "img");
    made.setAttribute("aria-label", `${RANKS[card[0]]} of ${SUIT_NAMES[card[1]]}`);
    const rank = card[0] === "T" ? "10" : card[0];
    made.append(element("span", "rank", rank), element("span", "suit", SUITS[card[1]]));
    made.append(element("span", "pip", SUITS[card[1]]));
    return made;
  }

  function backElement() {
    const made = element("span", "card back");
    made.setAttribute("role", "img");
    made.setAttribute("aria-label", "a card face down");
    return made;
  }

  /** A text with its suits in their colors. */
  function colored(text) {
    return text.split(/([♠♣♦♥])/u).map((part) => {
      const letter = Object.keys(SUITS).find((each) => SUITS[each] === part);
      return letter ? element("span", `ink-${letter}`, part) : document.createTextNode(part);
    });
  }

  const viewer = () => (looks.value === "" ? null : Number(looks.value));

  function told(each) {
    return viewer() === null || !each.texts ? each.text : each.texts[viewer()];
  }

  function slot(made) {
    const around = element("span", "slot");
    around.append(made);
    return around;
  }

  function drawSeat(seat, state) {
    const around = seats[seat];
    const { now } = state;
    const onlooker = viewer();
    const hidden = onlooker !== null && onlooker !== seat;
    const seen = hidden ? new Set(state.known[onlooker]) : null;
    const cards = sorted(state.hands[seat]);
    const open = hidden ? cards.filter((card) => seen.has(card)) : cards;
    find(".hand", around).replaceChildren(
      ...open.map((card) => slot(cardElement(card, state.fresh.has(card) ? "fresh" : ""))),
      ...Array.from({ length: cards.length - open.length }, () => slot(backElement())),
    );
    around.classList.toggle("is-next", now.next === seat);
    around.classList.toggle("is-onlooker", onlooker === seat);
    find(".dealer", around).hidden = game.deals[deal].dealer !== seat;
    find(".declarer", around).hidden = state.declarer !== seat;
    find(".total", around).textContent = String(state.scores[seat]).replace("-", "−");
    const points = state.points[seat];
    let gain = now.kind === "play" || points ? `+${points}` : "";
    if (now.kind === "result") {
      const change = state.scores[seat] - game.deals[deal].before[seat];
      gain = `${change < 0 ? "−" : "+"}${Math.abs(change)}`;
    }
    find(".gain", around).textContent = gain;
    find(".gain", around).classList.toggle("is-final", now.kind === "result");
    find(".said", around).textContent = state.said[seat];
    const used = state.barrel[seat];
    const note = find(".barrel", around);
    note.textContent = used === null ? "" : `barrel ${used} of ${BARREL_DEALS}`;
    note.title = used === null ? "" : `on the barrel, ${used} of ${BARREL_DEALS} deals used`;
  }

  function drawMiddle(state) {
    const { now } = state;
    find(".talon-cards", felt).replaceChildren(
      ...state.talon.map((card) => {
        const face = state.shown || viewer() === null;
        return slot(face ? cardElement(card, state.shown ? "" : "unknown") : backElement());
      }),
    );
    find(".talon", felt).classList.toggle("is-taken", state.shown && now.kind !== "talon");
    spots.forEach((spot, seat) => {
      const played = state.trick.find((each) => each.seat === seat);
      const wins = now.winner === seat ? "wins" : "";
      const leads = played && state.trick[0] === played ? "leads" : "";
      spot.replaceChildren(...(played ? [cardElement(played.card, `${wins} ${leads}`)] : []));
    });
    find(".contract", felt).textContent = state.contract ? String(state.contract) : "–";
    find(".trump", felt).replaceChildren(...colored(state.trump ? SUITS[state.trump] : "–"));
  }

  function drawList(state) {
    const { steps } = game.deals[deal];
    const wanted = `${deal} ${looks.value}`;
    if (listed !== wanted) {
      listed = wanted;
      list.replaceChildren(
        ...steps.map((each, number) => {
          const item = element("li", `step-${each.kind}`);
          const link = element("a", "");
          link.href = `#${game.deals[deal].deal}-${number}`;
          link.append(...colored(told(each)));
          item.append(link);
          (each.faults ?? []).forEach((fault) => item.append(element("span", "fault", fault)));
          return item;
        }),
      );
      document.getElementById("deal-number").textContent = String(game.deals[deal].deal);
      const ms = game.deals[deal].ms.map((each) => `${each.toFixed(1)} ms`).join(", ");
      document.getElementById("deal-dealer").textContent = `of ${game.deals.length}`;
      document.getElementById("deal-dealer").title = `time charged by seat: ${ms}`;
    }
    [...list.children].forEach((item, number) => {
      const link = item.firstElementChild;
      if (number === step) link.setAttribute("aria-current", "step");
      else link.removeAttribute("aria-current");
      item.classList.toggle("is-ahead", number > step);
    });
    const current = list.children[step];
    list.scrollTop = current.offsetTop + (current.clientHeight - list.clientHeight) / 2;
    document.querySelectorAll("#chart a").forEach((link) => {
      if (Number(link.dataset.deal) === game.deals[deal].deal) {
        link.setAttribute("aria-current", "true");
      } else link.removeAttribute("aria-current");
    });
    const faults = document.getElementById("faults");
    faults.replaceChildren(
      ...(state.now.faults ?? []).map((fault) => element("p", "fault", fault)),
    );
  }

  function draw() {
    list.classList.toggle("is-watched", viewer() !== null);
    const state = stateAt(game.deals[deal], step);
    [0, 1, 2].forEach((seat) => drawSeat(seat, state));
    drawMiddle(state);
    drawList(state);
    find("#now .told").replaceChildren(...colored(told(state.now)));
    find("#now .where").textContent =
      `Deal ${game.deals[deal].deal} · ${step + 1}/${game.deals[deal].steps.length}`;
    const atEnd = deal === game.deals.length - 1 && step === game.deals[deal].steps.length - 1;
    find("[data-do=back]").disabled = deal === 0 && step === 0;
    find("[data-do=previous-deal]").disabled = deal === 0 && step === 0;
    find("[data-do=forward]").disabled = atEnd;
    find("[data-do=next-deal]").disabled = deal === game.deals.length - 1;
    if (atEnd) pause();
  }

  function go(toDeal, toStep, remember = true) {
    deal = Math.max(0, Math.min(game.deals.length - 1, toDeal));
    step = Math.max(0, Math.min(game.deals[deal].steps.length - 1, toStep));
    draw();
    if (remember) {
      history.replaceState(null, "", `#${game.deals[deal].deal}-${step}`);
    }
  }

  function forward() {
    if (step + 1 < game.deals[deal].steps.length) go(deal, step + 1);
    else if (deal + 1 < game.deals.length) go(deal + 1, 0);
  }

  function back() {
    if (step > 0) go(deal, step - 1);
    else if (deal > 0) go(deal - 1, Infinity);
  }

  function pause() {
    clearInterval(timer);
    timer = 0;
    showPlaying();
  }

  function showPlaying() {
    const button = find("[data-do=play]");
    button.setAttribute("aria-pressed", String(timer !== 0));
    button.setAttribute("aria-label", timer ? "Pause" : "Play");
  }

  function playOrPause() {
    if (timer) {
      pause();
      return;
    }
    const atEnd = deal === game.deals.length - 1 && step === game.deals[deal].steps.length - 1;
    if (atEnd) go(0, 0);
    timer = setInterval(forward, PLAY_MS);
    showPlaying();
  }

  const actions = {
    "previous-deal": () => go(step > 0 ? deal : deal - 1, 0),
    back,
    play: playOrPause,
    forward,
    "next-deal": () => go(deal + 1, 0),
  };

  const keys = {
    ArrowLeft: back,
    ArrowRight: forward,
    PageUp: actions["previous-deal"],
    PageDown: actions["next-deal"],
    Home: () => go(0, 0),
    End: () => go(game.deals.length - 1, Infinity),
    k: () => lookAs(looks.value === "" ? 0 : viewer() === 2 ? null : viewer() + 1),
    " ": playOrPause,
  };

  function lookAs(seat) {
    looks.value = seat === null ? "" : String(seat);
    draw();
  }

  document.addEventListener("click", (event) => {
    const wanted = event.target.closest("[data-do]");
    if (!wanted) return;
    if (wanted.dataset.do !== "play") pause();
    actions[wanted.dataset.do]();
  });

  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.target === looks) return;
    if (event.key === " " && event.target.closest("button, a")) return;
    if (["0", "1", "2"].includes(event.key)) {
      lookAs(viewer() === Number(event.key) ? null : Number(event.key));
      return;
    }
    const action = keys[event.key] ?? keys[event.key.toLowerCase()];
    if (!action) return;
    event.preventDefault();
    if (action !== playOrPause && action !== keys.k) pause();
    action();
  });

  looks.addEventListener("change", draw);

  function readAddress() {
    const found = /^#(\d{1,3})-(\d{1,3})$/.exec(location.hash);
    const wanted = found ? game.deals.findIndex((each) => each.deal === Number(found[1])) : 0;
    go(Math.max(0, wanted), found && wanted >= 0 ? Number(found[2]) : 0, false);
  }

  window.addEventListener("hashchange", () => {
    pause();
    readAddress();
  });
  looks.value = "";
  readAddress();
  document.documentElement.dataset.ready = "true";
}
