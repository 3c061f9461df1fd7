"""Every message comes out as it went in; what is no message is told apart."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import suppress
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sdk_samples import GAME, cards, deals, requests, responses, step
from thousand.cards import CARDS
from thousand.codec import (
    ResponseReader,
    ResponseWriter,
    decode_request,
    decode_response,
    encode_request,
    encode_response,
)
from thousand.errors import MalformedMessage
from thousand.messages import (
    Answer,
    BadAnswer,
    DealEnd,
    GameEnd,
    GameStart,
    Notice,
    Prompt,
    Request,
    Response,
)
from thousand.rules import Bid, Deal, Decision, Game, Give, Play, deal_cards
from thousand.v1 import bot_pb2, game_pb2
from thousand.view import View


@given(requests())
def test_a_request_comes_out_as_it_went_in(request_: Request) -> None:
    assert decode_request(encode_request(request_)) == request_


@given(responses())
def test_a_response_comes_out_as_it_went_in(response: Response) -> None:
    assert decode_response(encode_response(response)) == response


@given(responses())
def test_a_response_is_written_as_protobuf_writes_it(response: Response) -> None:
    """Prompts are written by hand, and protobuf must not see a difference."""
    data = encode_response(response)
    assert bot_pb2.PlayResponse.FromString(data).SerializeToString() == data


def conversation(seat: int, rng: Random) -> Iterator[Response]:
    """Play four games at a time at random, and give what a seat is told of them.

    The referee says nothing of a deal's end before it has to ask again.
    """
    games = dict.fromkeys(range(4), Game())
    deals = {number: Deal(0, *deal_cards(rng.randbytes(16), 1)) for number in games}
    untold: list[Notice] = []
    while games:
        number = rng.choice(list(games))
        deal = deals[number]
        if deal.is_over:
            after = games[number] = games[number].settle(deal.outcome)
            untold.append(DealEnd.of(deal, after, number=number))
            deals[number] = Deal(after.dealer, *deal_cards(rng.randbytes(16), 1))
            if after.is_over:
                untold.append(GameEnd(number, after.places(), after.scores))
                del games[number]
            continue
        if deal.seat == seat:
            view = View.of(deal, games[number], number=number, bank_ms=rng.randrange(20_000))
            yield Response(notices=tuple(untold), prompts=(Prompt(rng.randrange(10**6), view),))
            untold.clear()
        step(deal, rng)
    yield Response(notices=tuple(untold))


@pytest.mark.parametrize("seat", range(3))
def test_what_stays_in_a_deal_is_kept_on_either_side_and_no_longer(seat: int) -> None:
    writer, reader = ResponseWriter(), ResponseReader()
    for response in conversation(seat, Random(seat)):
        data = writer.write(response)
        assert data == encode_response(response)
        assert reader.read(data) == decode_response(data) == response


def test_a_game_that_ends_or_starts_leaves_nothing_behind() -> None:
    """Nor does one that is started anew, as in a test of a bot; notices go before prompts."""
    writer, reader = ResponseWriter(), ResponseReader()
    notices = (GameEnd(7, (1, 2, 3), (1000, 0, 0)), GameStart(7))
    for dealer, notice in enumerate((None, *notices)):
        deal = Deal(dealer, [CARDS[:7], CARDS[7:14], CARDS[14:21]], CARDS[21:])
        prompts = (Prompt(dealer, View.of(deal, GAME, number=7)),)
        response = Response(notices=(notice,) if notice else (), prompts=prompts)
        assert reader.read(writer.write(response)) == response


@given(deals())
def test_a_prompt_of_a_real_deal_is_small(deal: Deal) -> None:
    prompt = Prompt(2**40, View.of(deal, GAME, number=1000, bank_ms=10_000))
    assert len(encode_response(Response(prompts=(prompt,)))) < 200


def test_an_empty_message_says_nothing() -> None:
    assert decode_request(b"") == Request()
    assert decode_response(b"") == Response()


def test_what_is_read_has_the_types_that_were_written() -> None:
    deal = Deal(0, [CARDS[:7], CARDS[7:14], CARDS[14:21]], CARDS[21:])
    data = encode_response(Response(prompts=(Prompt(1, View.of(deal, GAME)),)))
    (prompt,) = decode_response(data).prompts
    assert prompt.view.decision is Decision.BID
    assert prompt.view.hand[0] is CARDS[7]
    assert prompt.view.barrel == (None, None, 1)


@given(st.binary(max_size=60))
def test_garbage_is_no_other_error(data: bytes) -> None:
    readers: list[Callable[[bytes], object]] = [decode_request, decode_response]
    for decode in readers:
        with suppress(MalformedMessage):
            decode(data)


@given(responses(), st.data())
def test_a_damaged_response_is_no_other_error(response: Response, data: st.DataObject) -> None:
    message = bytearray(encode_response(response)) or bytearray(1)
    message[data.draw(st.integers(0, len(message) - 1))] = data.draw(st.integers(0, 255))
    with suppress(MalformedMessage):
        decode_response(bytes(message))


@pytest.mark.parametrize("decode", [decode_request, decode_response])
def test_bytes_that_are_no_message(decode: Callable[[bytes], object]) -> None:
    with pytest.raises(MalformedMessage, match="3 bytes that are no Play"):
        decode(b"\xff\xff\xff")


def read_answer(**fields: object) -> Answer | BadAnswer:
    """Read an answer with these fields, as any program may write it."""
    message = bot_pb2.PlayRequest(answers=[game_pb2.Answer(prompt_id=5, **fields)])  # type: ignore[arg-type]
    (answer,) = decode_request(message.SerializeToString()).answers
    return answer


@pytest.mark.parametrize("decision", [0, 5, 77])
def test_an_answer_to_an_unknown_decision(decision: int) -> None:
    assert read_answer(decision=decision) == BadAnswer(5, f"unknown decision {decision}")


@pytest.mark.parametrize("numbers", [[], [0, 1], [24], [255], list(range(24))])
def test_a_play_without_one_card(numbers: list[int]) -> None:
    answer = read_answer(decision=Decision.PLAY, cards=bytes(numbers))
    assert isinstance(answer, BadAnswer)
    assert answer.problem.startswith("PLAY needs 1 card number from 0 to 23, not [")
    assert len(answer.problem) < 100


@pytest.mark.parametrize("numbers", [[], [3], [3, 24], [1, 2, 3]])
def test_gifts_without_two_cards(numbers: list[int]) -> None:
    answer = read_answer(decision=Decision.GIVE, cards=bytes(numbers))
    assert isinstance(answer, BadAnswer)
    assert answer.problem.startswith("GIVE needs 2 card numbers from 0 to 23, not [")


@given(cards, cards)
def test_the_same_card_twice_can_be_read(first: int, second: int) -> None:
    """Whether it is legal is for the rules to say."""
    answer = read_answer(decision=Decision.GIVE, cards=bytes([first, second]))
    assert answer == Answer(5, Give(CARDS[first], CARDS[second]))


def test_fields_of_another_decision_are_ignored() -> None:
    answer = read_answer(decision=Decision.PLAY, amount=100, cards=b"\x07", announce=True)
    assert answer == Answer(5, Play(CARDS[7], announce=True))
    assert read_answer(decision=Decision.BID, amount=100, cards=b"\xff") == Answer(5, Bid(100))


def test_one_bad_answer_spoils_no_other() -> None:
    message = bot_pb2.PlayRequest(
        answers=[
            game_pb2.Answer(prompt_id=1, decision=game_pb2.DECISION_BID, amount=100),
            game_pb2.Answer(prompt_id=2),
            game_pb2.Answer(prompt_id=3, decision=game_pb2.DECISION_BID),
        ]
    )
    assert decode_request(message.SerializeToString()).answers == (
        Answer(1, Bid(100)),
        BadAnswer(2, "unknown decision 0"),
        Answer(3, Bid(None)),
    )


def test_a_bad_answer_is_never_written() -> None:
    with pytest.raises(ValueError, match="no reason"):
        encode_request(Request(answers=(BadAnswer(1, "no reason"),)))


def damaged(change: Callable[[bot_pb2.PlayResponse], object]) -> bytes:
    """Give a response with a prompt and a notice, changed by hand."""
    deal = Deal(0, [CARDS[:7], CARDS[7:14], CARDS[14:21]], CARDS[21:])
    response = Response(notices=(GameStart(0),), prompts=(Prompt(1, View.of(deal, GAME)),))
    message = bot_pb2.PlayResponse.FromString(encode_response(response))
    change(message)
    return message.SerializeToString()


@pytest.mark.parametrize(
    "change",
    [
        lambda message: setattr(message.prompts[0], "decision", 0),
        lambda message: setattr(message.prompts[0], "decision", 9),
        lambda message: setattr(message.prompts[0].view, "trump", 9),
        lambda message: setattr(message.prompts[0].view, "hand", b"\x18"),
        lambda message: setattr(message.prompts[0], "cards", b"\xff"),
        lambda message: setattr(message.prompts[0].view, "bidders", b"\0\1"),
        lambda message: message.notices[0].ClearField("game_start"),
    ],
)
def test_a_response_with_an_unknown_value(change: Callable[[object], object]) -> None:
    with pytest.raises(MalformedMessage):
        decode_response(damaged(change))


def test_fields_of_a_later_version_are_ignored() -> None:
    """Field 99, a number: protocol versions grow by additions."""
    assert decode_response(b"\x98\x06\x01") == Response()
