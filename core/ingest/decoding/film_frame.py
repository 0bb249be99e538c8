"""Which frame of a film is shown: not the first, which is often dark."""

from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from itertools import islice
from typing import Any

from PIL import ImageStat

_MICROSECONDS = 1_000_000
_FIRST_LOOK_S = 1.0
_FIRST_LOOK_SHARE = 0.1
"""The frame to show is looked for this far in."""

_LATEST_LOOK_S = 60.0
_MOST_FRAMES = 90
_MOST_PACKETS = 20_000
_DARK = 20.0
"""Mean brightness (of 255) below which a frame counts as black."""

_SAMPLE_PX = 64


def look_at(duration_s: float | None) -> float:
    """Seconds into a film where a look may be worth it."""
    if duration_s is None:
        return _FIRST_LOOK_S
    wanted = max(_FIRST_LOOK_S, duration_s * _FIRST_LOOK_SHARE)
    return min(wanted, duration_s / 2, _LATEST_LOOK_S)


@dataclass(frozen=True, slots=True)
class FrameSearch:
    """Looks for a frame of an open film that shows something; `fault` is what FFmpeg raises."""

    container: Any
    stream: Any
    fault: type[Exception]

    def find(self, at_s: float | None) -> Any:
        """The first frame from there on that is not dark, else the brightest seen; None if none."""
        if at_s is not None:
            start = self.container.start_time or 0
            with suppress(self.fault):  # where it cannot be searched: on from where we are
                self.container.seek(start + int(at_s * _MICROSECONDS))
        best, best_light = None, -1.0
        for frame in islice(self._frames(), _MOST_FRAMES):
            light = -0.5 if frame.is_corrupt else _light(frame)
            if light > _DARK:
                return frame
            if light > best_light:
                best, best_light = frame, light
        return best

    def _frames(self) -> Iterator[Any]:
        """Frames from here on; packets that cannot be decoded are skipped."""
        try:
            for packet in islice(self.container.demux(self.stream), _MOST_PACKETS):
                with suppress(self.fault):
                    yield from packet.decode()
        except self.fault:
            return


def _light(frame: Any) -> float:
    """Mean brightness of a frame, 0 to 255."""
    small = frame.reformat(_SAMPLE_PX, _SAMPLE_PX, "rgb24").to_image()
    return float(ImageStat.Stat(small.convert("L")).mean[0])
