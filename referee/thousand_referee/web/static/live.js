// Keeps a part of the page up to date: asks for it again and again, until it is final.
"use strict";
{
  const live = document.getElementById("live");
  const EVERY_MS = 3000;
  const SOON_MS = 700;
  const SLOWEST_MS = 60000;
  let pause = EVERY_MS;
  let tag = "";

  /** Puts new contents in, and gives the focus and scrolled places back. */
  function show(html) {
    const made = new DOMParser().parseFromString(html, "text/html").body;
    if (made.innerHTML === live.innerHTML) return;
    const focused = live.contains(document.activeElement) ? document.activeElement : null;
    const label = focused?.getAttribute("href") ?? focused?.getAttribute("aria-labelledby");
    const scrolled = [...live.querySelectorAll(".scroll")].map((each) => each.scrollLeft);
    live.replaceChildren(...made.childNodes);
    [...live.querySelectorAll(".scroll")].forEach((each, number) => {
      each.scrollLeft = scrolled[number] ?? 0;
    });
    if (focused && label) {
      [...live.querySelectorAll("[href], [aria-labelledby]")]
        .find((each) => [each.getAttribute("href"), each.getAttribute("aria-labelledby")]
          .includes(label))
        ?.focus({ preventScroll: true });
    }
  }

  /** Whether the page waits for its first contents. */
  const isEmpty = () => live.querySelector("[role=status]") !== null;

  async function ask() {
    try {
      const headers = tag ? { "If-None-Match": tag } : {};
      const answer = await fetch(live.dataset.live, { headers, cache: "no-store" });
      if (answer.status === 200) {
        tag = answer.headers.get("ETag") ?? "";
        const found = await answer.json();
        show(found.html);
        live.dataset.updates = String(Number(live.dataset.updates ?? 0) + 1);
        if (found.is_final) return;
      }
      pause = answer.ok || answer.status === 304 ? EVERY_MS : Math.min(2 * pause, SLOWEST_MS);
    } catch {
      pause = Math.min(2 * pause, SLOWEST_MS);
    }
    setTimeout(ask, document.hidden ? SLOWEST_MS : isEmpty() ? Math.min(pause, SOON_MS) : pause);
  }

  document.addEventListener("visibilitychange", () => {
    if (!document.hidden) pause = EVERY_MS;
  });
  if (live?.dataset.live) setTimeout(ask, isEmpty() ? SOON_MS : pause);
}
