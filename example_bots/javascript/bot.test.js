"use strict";

const assert = require("node:assert");
const test = require("node:test");
const { decide } = require("./bot.js");

const card = (text) => 6 * "SCDH".indexOf(text[1]) + "9JQKTA".indexOf(text[0]);
const cards = (text) => Buffer.from(text.split(" ").filter(Boolean).map(card));

/** Make a prompt for a play; `legal` and `announceable` are cards like "KH 9S". */
function prompt({ hand, legal = hand, announceable = "", played = "", trump = 0 }) {
  const view = { hand: cards(hand), played: cards(played), trump };
  return {
    id: 7, decision: 4, cards: cards(legal), announceable: cards(announceable), amounts: [], view,
  };
}

const played = (answer) => [...answer.cards];

test("it repeats the prompt's id and decision", () => {
  const { promptId, decision } = decide(prompt({ hand: "AS 9C" }));
  assert.deepStrictEqual([promptId, decision], [7, 4]);
});

test("it announces its best marriage", () => {
  const hand = "9S KS QS KH QH";
  const answer = decide(prompt({ hand, announceable: "KS QS KH QH", played: "AC 9C JC" }));
  assert.deepStrictEqual([played(answer), answer.announce], [[card("QH")], true]);
});

test("it takes a trick with the dearest card that wins", () => {
  const hand = "AS TS 9C";
  const answer = decide(prompt({ hand, legal: "AS TS", played: "KS" }));
  assert.deepStrictEqual(played(answer), [card("AS")]);
});

test("it throws the cheapest card when it can't win", () => {
  const hand = "TS JS 9C";
  const answer = decide(prompt({ hand, legal: "TS JS", played: "AS" }));
  assert.deepStrictEqual(played(answer), [card("JS")]);
});

test("it keeps its marriages when it gives", () => {
  const hand = "9S JS AC TC KC QC AD TD KH QH";
  const answer = decide({ id: 1, decision: 2, cards: cards(hand), amounts: [], view: {} });
  assert.deepStrictEqual([...answer.cards], [card("9S"), card("JS")]);
});

test("it opens as forehand, and passes with nothing in hand", () => {
  const view = { hand: cards("9S JS 9C JC 9D JD 9H") };
  assert.strictEqual(decide({ id: 1, decision: 1, amounts: [100, 105], view }).amount, 100);
  assert.strictEqual(decide({ id: 1, decision: 1, amounts: [0, 105], view }).amount, 0);
});
