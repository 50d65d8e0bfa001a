"""The feed works ahead and changes nothing: same batches, same errors; shards show a corpus once an epoch."""

import threading
import time
from contextlib import closing
from itertools import islice

import numpy as np
import pytest
from patience import STILL
from tiny import SPECIALS, documents

from minibert.data.batch import IGNORE, Batch
from minibert.objectives import MLM, NSP
from minibert.training import feed as feed_module
from minibert.training.ahead import ahead
from minibert.training.config import TrainConfig
from minibert.training.feed import Shards, batches, epochs, order, pad_to_multiple

CONFIG = TrainConfig(steps=1, batch_size=4, seed=5)


@pytest.fixture
def objective():
    return NSP(SPECIALS, 97, 30)


@pytest.fixture(autouse=True)
def no_thread_is_left():
    yield
    assert not [thread for thread in threading.enumerate() if thread.name == "feed"]


def fed(objective, make_rows, count, state=None, multiple=8):
    """The first batches from a state on, and the state after each."""
    state = state or {"epoch": 0, "position": 0}
    with closing(batches(objective, make_rows, CONFIG, state, multiple)) as feed:
        return [(batch, dict(state)) for batch in islice(feed, count)]


def same(first, second):
    arrays = [
        [batch.input_ids, batch.token_type_ids, batch.real, batch.sequence_labels]
        for batch, _ in (first, second)
    ]
    return all(map(np.array_equal, *arrays)) and first[1] == second[1]


def by_hand(objective, make_rows, count):
    """The same batches without a thread."""
    made = []
    for epoch, rows, labels, cut in epochs(make_rows, CONFIG, 0):
        for place, indices in enumerate(cut, 1):
            batch = objective.collate([rows[i] for i in indices], [labels[i] for i in indices])
            batch = pad_to_multiple(batch, 8, objective.max_length, SPECIALS.pad)
            made.append((batch, {"epoch": epoch, "position": place}))
        if len(made) >= count:
            return made[:count]


def rows_of(objective):
    return lambda rng: objective.build(documents(count=6), rng)


def test_batches_made_ahead_are_those_made_by_hand_with_the_state_of_each(objective):
    expected = by_hand(objective, rows_of(objective), 30)
    assert expected[-1][1]["epoch"] > 1
    assert all(map(same, fed(objective, rows_of(objective), 30), expected))


def test_a_feed_goes_on_from_any_state_also_from_the_end_of_an_epoch(objective):
    whole = fed(objective, rows_of(objective), 40)
    end = next(i for i, (_, state) in enumerate(whole) if state["epoch"] == 1)
    for done in (1, 5, 13, 29, end):
        state = dict(whole[done - 1][1])
        assert all(map(same, fed(objective, rows_of(objective), 40 - done, state), whole[done:]))


def test_only_one_epoch_and_a_few_batches_are_made_ahead(objective, monkeypatch):
    monkeypatch.setattr(feed_module, "AHEAD", 3)
    monkeypatch.setattr(feed_module, "READY", 2)
    built, collated, steps = [], [], []

    class Counting(NSP):
        def collate(self, *arguments):
            collated.append(1)
            return super().collate(*arguments)

    objective = Counting(SPECIALS, 97, 30)

    def make_rows(rng):
        built.append(1)
        return objective.build(documents(count=20), rng)

    def prepare(batch, step):
        steps.append(step)
        return step

    state = {"epoch": 0, "position": 0, "step": 7}
    with closing(batches(objective, make_rows, CONFIG, state, prepare=prepare)) as feed:
        for taken in range(1, 4):
            assert next(feed) == 6 + taken and state["position"] == taken
            settled(steps, taken + 2)
            settled(collated, taken + 2 + 3)
            settled(built, 2)
    assert steps == [7, 8, 9, 10, 11]


def settled(calls, count):
    """Waits until there are `count` calls, and sees that no more come."""
    limit = time.monotonic() + STILL
    while len(calls) < count and time.monotonic() < limit:
        time.sleep(0.001)
    time.sleep(0.02)
    assert len(calls) == count


class Broken(Exception):
    pass


def test_an_error_in_the_rows_is_raised_where_they_are_asked_for(objective):
    def make_rows(rng):
        if next(calls):
            raise Broken("the second epoch")
        return objective.build(documents(count=6), rng)

    calls = iter([False, True])
    one = sum(state["epoch"] == 0 for _, state in by_hand(objective, rows_of(objective), 40))
    state = {"epoch": 0, "position": 0}
    with closing(batches(objective, make_rows, CONFIG, state)) as feed:
        assert len(list(islice(feed, one))) == one
        with pytest.raises(Broken, match="the second epoch"):
            next(feed)
    assert state == {"epoch": 0, "position": one}


def test_an_error_in_a_batch_and_an_epoch_without_rows_are_raised(objective):
    with pytest.raises(ValueError, match="there are no sequences to train on"):
        fed(objective, lambda rng: ([], None), 1)
    objective.collate = lambda rows, labels: 1 / 0
    with pytest.raises(ZeroDivisionError):
        fed(objective, rows_of(objective), 1)


def test_a_consumer_that_is_interrupted_ends_the_threads(objective):
    feed = batches(objective, rows_of(objective), CONFIG, {"epoch": 0, "position": 0})
    with pytest.raises(KeyboardInterrupt), closing(feed):
        for number, _ in enumerate(feed):
            if number == 7:
                raise KeyboardInterrupt


def test_the_next_item_is_made_while_the_present_one_is_used():
    at_once = threading.Barrier(2, timeout=STILL)  # one after the other, nobody would meet here

    def items():
        for i in range(8):
            if i:
                at_once.wait()
            yield i

    for i in ahead(items(), 2):
        if i < 7:
            at_once.wait()


def test_what_works_ahead_is_closed_and_may_be_of_any_length():
    closed = []

    def items(count):
        try:
            yield from range(count)
        finally:
            closed.append(count)

    assert list(ahead(items(0), 1)) == [] and list(ahead(items(5), 2)) == list(range(5)) and closed == [0, 5]
    with closing(ahead(items(1000), 2)) as some:
        assert list(islice(some, 3)) == [0, 1, 2]
    assert closed == [0, 5, 1000]


def test_lengths_are_multiples_or_the_longest_and_what_is_added_is_padding():
    ids = np.arange(2 * 11).reshape(2, 11)
    batch = Batch(ids, ids % 2, ids > 3, np.array([[3] * 11, [IGNORE] * 11]))
    wide = pad_to_multiple(batch, 8, 40, pad=9)
    arrays = (wide.input_ids, wide.token_type_ids, wide.real, wide.sequence_labels)
    assert [array.shape for array in arrays] == [(2, 16)] * 4
    assert np.array_equal(wide.input_ids[:, :11], ids) and (wide.input_ids[:, 11:] == 9).all()
    assert not wide.token_type_ids[:, 11:].any() and not wide.real[:, 11:].any()
    assert (wide.sequence_labels[:, 11:] == IGNORE).all()
    assert pad_to_multiple(batch, 8, 13, pad=9).real.shape == (2, 13)
    assert pad_to_multiple(batch, 11, 40, pad=9) is batch and pad_to_multiple(batch, 8, 11, pad=9) is batch
    of_rows = pad_to_multiple(Batch(ids, ids, ids > 3, np.array([[1, 2], [3, 4]])), 8, 40, pad=0)
    assert of_rows.sequence_labels.tolist() == [[1, 2], [3, 4]]


def test_few_lengths_reach_the_step():
    objective = MLM(SPECIALS, 97, 30)
    lengths = {
        batch.real.shape[1]
        for batch, _ in fed(
            objective, lambda rng: ([([7] * int(n), None) for n in rng.integers(1, 28, 400)], None), 100
        )
    }
    assert lengths == {8, 16, 24, 30}


def test_without_a_multiple_a_batch_is_as_long_as_its_longest_row(objective):
    found = fed(objective, rows_of(objective), 9, multiple=1)
    assert all(batch.real.any(axis=0).all() for batch, _ in found)


class Stored(list):
    """Documents in memory that are read as those on disk are."""

    def __init__(self, docs):
        super().__init__(docs)
        self.tokens, self.released = sum(len(s) for d in docs for s in d), 0

    def read(self, start, stop):
        return self[start:stop]

    def release(self):
        self.released += 1


def first_ids(docs, rng):
    """Rows that tell which documents they are from."""
    return [(list(doc[0]), None) for doc in docs], None


def test_an_epoch_of_shards_shows_each_document_once_and_the_next_mixes_them_anew():
    docs = Stored([[[i] * 10] for i in range(103)])
    shards = Shards(first_ids, docs, shard=200, block=30)
    assert (shards.count, shards.size) == (5, 3)

    def epoch(number):
        return [
            [row[0][0] for row in shards(np.random.default_rng(0), 5, 5 * number + place)[0]]
            for place in range(5)
        ]

    first, second = epoch(0), epoch(1)
    assert sorted(sum(first, [])) == sorted(sum(second, [])) == list(range(103))
    assert {frozenset(shard) for shard in first}.isdisjoint(map(frozenset, second))
    assert max(map(len, first)) - min(map(len, first)) <= 3 and all(np.ptp(shard) > 30 for shard in first)
    assert epoch(0) == first and docs.released == 15


def test_a_small_corpus_is_one_shard_and_gives_the_rows_of_documents_in_memory(objective):
    docs = documents(count=9)
    shards = Shards(objective.build, Stored(docs), block=60)
    assert shards.count == 1 and shards.blocks > 3
    in_memory = fed(objective, lambda rng: objective.build(docs, rng), 30)
    assert all(map(same, fed(objective, shards, 30), in_memory))


def test_a_feed_of_shards_goes_on_from_any_state(objective):
    shards = Shards(objective.build, Stored(documents(count=40)), shard=400, block=60)
    assert shards.count > 2
    whole = fed(objective, shards, 60)
    assert whole[-1][1]["epoch"] >= shards.count
    for done in (1, 17, 44):
        assert all(map(same, fed(objective, shards, 60 - done, dict(whole[done - 1][1])), whole[done:]))


def test_a_shard_holds_two_documents_at_least():
    docs = Stored([[[i] * 1000] for i in range(7)])
    shards = Shards(first_ids, docs, shard=900, block=10)
    assert shards.count == 3 and min(len(shards(None, 0, number)[0]) for number in range(3)) == 2


def test_an_epoch_reads_every_row_once_and_batches_rows_of_like_length():
    rng = np.random.default_rng(0)
    rows = [([5] * rng.integers(1, 60), None) for _ in range(203)]
    cut = order(rows, 8, rng)
    assert sorted(i for group in cut for i in group) == list(range(203))
    assert {len(group) for group in cut} == {8, 3}
    assert np.mean([np.ptp([len(rows[i][0]) for i in group]) for group in cut]) < 10
    mixed = order(rows, 8, rng, pool=1)
    assert np.mean([np.ptp([len(rows[i][0]) for i in group]) for group in mixed]) > 35
