"""One hostile client: one kind of misbehaviour after the other, chosen at random by seed.

Each for a moment, as fast as it can or with a rate; all of them once before any comes twice. What
each has sent, and when, goes to standard output. Ends when its standard input does.

hostile.py DIRECTORY NAME SEED SECONDS [KIND...]     SECONDS is the length of a moment
"""

from __future__ import annotations

import random
import resource
import sys
import threading
import time
import traceback

import words
import zmq
from client import Client
from kinds import KINDS


def main() -> None:
    directory, name, seed, moment = sys.argv[1:5]
    # Some hundred connections at a time, of two or three descriptors each.
    most = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
    chosen = [kind for kind in KINDS if not sys.argv[5:] or kind in sys.argv[5:]]
    stop = threading.Event()
    words.until_told(stop)
    chance = random.Random(f"{seed}/{name}")
    client = Client(directory, chance, stop)
    rest: list[str] = []
    while not stop.is_set():
        if not rest:
            rest = chance.sample(chosen, len(chosen))
        kind = rest.pop()
        sent, began, trouble = client.sent, time.monotonic(), ""
        client.begin(float(moment) * chance.uniform(0.5, 1.5))
        try:
            KINDS[kind](client)
        except zmq.ZMQError as error:
            # Of descriptors, mostly: the broker turns us away, as it should.
            trouble = f"libzmq: {error}"
        except OSError as error:
            trouble = f"the system: {error}"
        except Exception:
            # A kind that does not do what it is for shows nothing.
            words.tell(defect=f"{kind}: {traceback.format_exc()}")
        client.end()
        words.tell(
            kind=kind,
            began=began,
            ended=time.monotonic(),
            sent=client.sent - sent,
            trouble=trouble,
        )
        # Without a rest there is nothing to see of how the broker gets well again.
        stop.wait(chance.uniform(0, 0.1))
    words.tell(end=True)


if __name__ == "__main__":
    main()
