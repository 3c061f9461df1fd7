// JavaScript: a bot without the SDK, from the protocol's page and the .proto files alone.
//
// It plays a page of plain rules: bid what the hand surely brings, announce when it may,
// win with boss cards and lose with cheap ones. `decide` is all there is to change; the
// rest is the conversation with the referee, the same for every bot.
"use strict";

const path = require("node:path");

const BID = 1, GIVE = 2, RAISE = 3, PLAY = 4;
const POINTS = [0, 2, 3, 4, 10, 11]; // by rank: 9 J Q K 10 A
const MARRIAGES = [40, 60, 80, 100]; // by suit: ♠ ♣ ♦ ♥
const QUEEN = 2, KING = 3;
const TRICK_POINTS = 5; // what the two others add to a trick, cautiously put
const TALON_POINTS = 10; // what three more cards add to a hand, cautiously put

// Cards: 6 * suit + rank

const suitOf = (card) => Math.floor(card / 6);
const rankOf = (card) => card % 6;
const pointsOf = (card) => POINTS[rankOf(card)];

/** Give the other half of a card's marriage; undefined unless it is a king or a queen. */
function partnerOf(card) {
  if (rankOf(card) === KING) return card - 1;
  return rankOf(card) === QUEEN ? card + 1 : undefined;
}

/** Tell whether every stronger card of the suit is among those that are out of the way. */
function isBoss(card, outOfTheWay) {
  for (let higher = card + 1; suitOf(higher) === suitOf(card); higher++) {
    if (!outOfTheWay.includes(higher)) return false;
  }
  return true;
}

/** Sort cards by what is lost with them: a marriage weighs most, then the points. */
function byLoss(hand) {
  const loss = (card) => 1000 * hand.includes(partnerOf(card)) + 30 * pointsOf(card) + card;
  return (one, other) => loss(one) - loss(other);
}

// Decisions: each takes a prompt and gives what is to be filled in of its answer

/** Add up the tricks from the top of each suit, and marriages if one trick is won. */
function surePoints(hand) {
  const bosses = hand.filter((card) => isBoss(card, hand));
  let points = 0;
  for (const card of bosses) points += pointsOf(card) + TRICK_POINTS;
  for (const card of bosses.length ? hand : []) {
    if (rankOf(card) === KING && hand.includes(card - 1)) points += MARRIAGES[suitOf(card)];
  }
  return points;
}

function bid({ amounts, view }) {
  if (amounts[0] !== 0) return { amount: amounts[0] }; // forehand must open
  const isWorthIt = amounts[1] <= surePoints([...view.hand]) + TALON_POINTS;
  return { amount: isWorthIt ? amounts[1] : 0 };
}

function give({ cards }) {
  const hand = [...cards];
  return { cards: Buffer.from(hand.sort(byLoss([...cards])).slice(0, 2)) };
}

function raise({ amounts, view }) {
  const worth = surePoints([...view.hand]);
  return { amount: Math.max(amounts[0], ...amounts.filter((amount) => amount <= worth)) };
}

function play({ cards, announceable, view }) {
  const hand = [...view.hand], playable = [...cards].sort(byLoss(hand));
  const trick = [...view.played.subarray(view.played.length - (view.played.length % 3))];
  const one = (card, announce = false) => ({ cards: Buffer.from([card]), announce });
  const dearest = (some) => some.reduce((a, b) => (pointsOf(b) > pointsOf(a) ? b : a));
  if (!trick.length) {
    const known = [...view.played, ...hand];
    const bosses = playable.filter((card) => isBoss(card, known) && !hand.includes(partnerOf(card)));
    if (bosses.length) return one(dearest(bosses));
    // Announce the most valuable marriage, with its queen.
    const queens = [...announceable].filter((card) => rankOf(card) === QUEEN);
    return queens.length ? one(Math.max(...queens), true) : one(playable[0]);
  }
  const trump = view.trump - 1; // the enum Suit counts from 1; -1 is none
  const strength = (card) =>
    suitOf(card) === trump ? 100 + card : suitOf(card) === suitOf(trick[0]) ? card : -1;
  const best = Math.max(...trick.map(strength));
  const winners = playable.filter((card) => strength(card) > best);
  return one(winners.length ? dearest(winners) : playable[0]);
}

/** Answer a prompt. */
function decide(prompt) {
  const choose = { [BID]: bid, [GIVE]: give, [RAISE]: raise, [PLAY]: play }[prompt.decision];
  return { promptId: prompt.id, decision: prompt.decision, ...choose(prompt) };
}

// The conversation

/** Play the match this process was started for. */
function main() {
  const grpc = require("@grpc/grpc-js");
  const loader = require("@grpc/proto-loader");
  const { THOUSAND_ADDRESS: address, THOUSAND_TOKEN: token } = process.env;
  if (!address || !token) {
    console.error("a bot is started by the arena; try: thousand match FOLDER FOLDER FOLDER");
    process.exit(2);
  }
  const definition = loader.loadSync("thousand/v1/bot.proto", {
    includeDirs: [path.join(__dirname, "proto")],
    defaults: true, // protobuf doesn't send zeros
    longs: Number,
  });
  const { RefereeService } = grpc.loadPackageDefinition(definition).thousand.v1;
  const client = new RefereeService(address, grpc.credentials.createInsecure(), {
    "grpc.default_authority": "localhost",
    "grpc.enable_http_proxy": 0,
  });
  const stream = client.Play();
  stream.on("data", ({ prompts, goodbye }) => {
    if (prompts.length) stream.write({ answers: prompts.map(decide) });
    if (goodbye) stream.end();
  });
  stream.on("error", (error) => {
    console.error(`the stream broke: ${error.message}`);
    process.exit(1);
  });
  stream.on("end", () => client.close());
  stream.write({ hello: { token, protocol: 1, software: `node ${process.version}` } });
}

if (require.main === module) main();
module.exports = { decide };
