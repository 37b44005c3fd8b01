"""A program that already shows bars of tqdm: only its import was changed.

python examples/train.py [EPOCHS]
"""

from __future__ import annotations

import sys
import time

from progressbus.tqdm import tqdm, trange


def main() -> None:
    epochs = int(sys.argv[1]) if len(sys.argv) > 1 else 3
    for epoch in trange(epochs, desc="Train", unit="epoch"):
        with tqdm(total=50, desc=f"Epoch {epoch + 1}", unit="batch", leave=False) as batches:
            for batch in range(50):
                time.sleep(0.004)  # stands for the work
                batches.set_postfix(loss=1 / (epoch * 50 + batch + 1))
                batches.update()


if __name__ == "__main__":
    main()
