"""`python -m training --data DIR --out models/` trains the starter encoder again, from a seed."""

import argparse
from pathlib import Path

from training.package import write_models
from training.pipeline import Settings, run


def main() -> None:
    """Read the arguments, train, and write the models folder."""
    parser = argparse.ArgumentParser(prog="python -m training", description=__doc__)
    parser.add_argument("--data", type=Path, required=True, help="images/, captions.csv, split.csv")
    parser.add_argument("--out", type=Path, required=True, help="the models folder to write")
    parser.add_argument("--cache", type=Path, default=Path("out/training"), help="tower outputs")
    parser.add_argument("--model-version", default="2", help="a new one for new weights")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--crops", type=int, default=0, help="random crops of each photo")
    parser.add_argument("--test", action="store_true", help="also report the test split")
    given = parser.parse_args()
    settings = Settings(given.data, given.cache, given.seed, given.threads, given.crops, given.test)
    result = run(settings, print)
    write_models(result, given.out, given.model_version)
    for name, value in result.figures.items():
        print(f"{name:32} {value:.4f}")


if __name__ == "__main__":
    main()
