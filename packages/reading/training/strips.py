"""Strips of machine-readable lines, drawn from glyphs, with what cameras do to them."""

import json
import math

import cv2
import numpy as np

HEIGHT = 24
PITCH = 14
LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
GAP = 37


class Glyphs:
    def __init__(self, path: str):
        about = json.load(open(f"{path}.json"))
        self.characters = about["characters"]
        self.pitch, self.left, self.baseline = about["pitch"], about["left"], about["baseline"]
        cells = np.fromfile(path, np.uint8)
        self.fonts = cells.reshape(len(about["fonts"]), len(self.characters), about["height"], about["width"])


def random_text(rng, length: int) -> str:
    text = ""
    while len(text) < length:
        kind = rng.integers(6)
        n = int(rng.integers(1, 9))
        if kind == 0:
            text += "<" * int(rng.integers(1, 12))
        elif kind in (1, 2):
            text += "".join(rng.choice(list("0123456789"), n))
        elif kind in (3, 4):
            text += "".join(rng.choice(list(LETTERS), n)) + "<" * int(rng.integers(0, 3))
        else:
            text += "".join(rng.choice(list("0123456789" + LETTERS + "<"), n))
    return text[:length]


def smooth_noise(rng, height, width, grain):
    small = rng.standard_normal((max(2, int(height / grain) + 2), max(2, int(width / grain) + 2))).astype(np.float32)
    return cv2.resize(small, (width, height), interpolation=cv2.INTER_CUBIC)


def another_cut(rng, cell, strength):
    """The glyph as another cut of the font or a worn printer may draw it: its strokes a little elsewhere."""
    height, width = cell.shape
    y, x = np.mgrid[0:height, 0:width].astype(np.float32)
    wide, high = (1 + rng.uniform(-0.05, 0.05, 2) * strength).astype(np.float32)
    strength = np.float32(strength)
    map_x = (x - width / 2) * wide + width / 2 + strength * smooth_noise(rng, height, width, 24)
    map_y = (y - height / 2) * high + height / 2 + strength * smooth_noise(rng, height, width, 24)
    return cv2.remap(cell, map_x, map_y, cv2.INTER_LINEAR)


def paper(rng, height, width, pitch):
    tone = rng.uniform(140, 245)
    y, x = np.mgrid[0:height, 0:width].astype(np.float32)
    page = np.full((height, width), tone, np.float32)
    page += rng.uniform(-0.6, 0.6) * (x - width / 2) / width * 60
    strongest = rng.choice([16, 30])
    for _ in range(rng.integers(0, 5)):
        wave = rng.uniform(0.15, 1.6) * pitch
        angle = rng.uniform(0, math.pi)
        bend = rng.uniform(0, 0.6) * pitch
        phase = (x * math.cos(angle) + y * math.sin(angle) + bend * np.sin(x / (pitch * rng.uniform(0.6, 4)))) / wave * 2 * math.pi
        page += rng.uniform(2, strongest) * np.where(np.cos(phase) > rng.uniform(0.2, 0.9), -1, 0)
    if rng.random() < 0.7:
        page += rng.uniform(2, 14) * smooth_noise(rng, height, width, pitch * rng.uniform(0.15, 2))
    return page


def camera(rng, view, pitch):
    """Light, optics, sensor and file, in this order."""
    height, width = view.shape
    y, x = np.mgrid[0:height, 0:width].astype(np.float32)
    for _ in range(rng.choice([0, 1, 2], p=[0.5, 0.35, 0.15])):
        angle = rng.uniform(0, 2 * math.pi)
        px, py = rng.uniform(0, width), rng.uniform(0, height)
        distance = (x - px) * math.cos(angle) + (y - py) * math.sin(angle)
        soft = rng.uniform(0.02, 0.6) * pitch
        # A half plane, or a band as a hand or a frame throws it.
        wide = pitch * rng.uniform(0.7, 14) if rng.random() < 0.35 else math.inf
        inside = np.clip(np.minimum(distance, wide - distance) / soft + 0.5, 0, 1)
        view = view * (1 - rng.uniform(0.2, 0.82) * inside)
    if rng.random() < 0.25:
        gx, gy = rng.uniform(0, width), rng.uniform(-height, 2 * height)
        d2 = ((x - gx) / (pitch * rng.uniform(1, 7))) ** 2 + ((y - gy) / (pitch * rng.uniform(0.6, 3))) ** 2
        view = view + rng.uniform(40, 190) * np.exp(-d2)
    gain = rng.uniform(0.45, 1.15)
    view = view * gain + rng.uniform(-10, 30)
    roll = rng.random()
    if roll < 0.55:
        sigma = pitch * rng.uniform(0.01, 0.15)
        view = cv2.GaussianBlur(view, (0, 0), sigma, sigmaY=sigma * rng.uniform(0.8, 1.25))
    elif roll < 0.8:
        length = pitch * rng.uniform(0.1, 0.5)
        angle = rng.uniform(0, math.pi)
        size = int(length) * 2 + 3
        kernel = np.zeros((size, size), np.float32)
        cx = size // 2
        dx, dy = math.cos(angle) * length / 2, math.sin(angle) * length / 2
        cv2.line(kernel, (round(16 * (cx - dx)), round(16 * (cx - dy))), (round(16 * (cx + dx)), round(16 * (cx + dy))), 1.0, 1, cv2.LINE_AA, 4)
        view = cv2.filter2D(view, -1, kernel / max(kernel.sum(), 1e-6))
    if rng.random() < 0.75:
        view = view + rng.uniform(1, 20) * min(1.0, gain) * rng.standard_normal(view.shape).astype(np.float32)
    if rng.random() < 0.1:
        view = cv2.GaussianBlur(view, (0, 0), 0.8) * 1.0
    if rng.random() < 0.15:
        view = view + rng.uniform(0.3, 1.2) * (view - cv2.GaussianBlur(view, (0, 0), 1.5))
    view = np.clip(view, 0, 255).astype(np.uint8)
    if rng.random() < 0.8:
        view = cv2.imdecode(cv2.imencode(".jpg", view, [cv2.IMWRITE_JPEG_QUALITY, int(rng.integers(25, 90))])[1], 0)
    return view.astype(np.float32)


def local_contrast(strip, reach=PITCH):
    """Each column against the mean and deviation of its neighbourhood, as src/lines/strips.ts does."""
    width = strip.shape[1]
    sums = np.concatenate([[0.0], np.cumsum(strip.sum(0, dtype=np.float64))])
    squares = np.concatenate([[0.0], np.cumsum((strip.astype(np.float64) ** 2).sum(0))])
    first = np.maximum(np.arange(width) - reach, 0)
    last = np.minimum(np.arange(width) + reach + 1, width)
    count = (last - first) * strip.shape[0]
    mean = (sums[last] - sums[first]) / count
    deviation = np.sqrt(np.maximum((squares[last] - squares[first]) / count - mean**2, 0))
    return np.clip((strip - mean) / (deviation + 4), -3, 3).astype(np.float32)


def texture(rng, page, pitch):
    """Weave, tiles or stripes, as what a document lies on has them, or nothing."""
    if rng.random() < 0.5:
        return page
    height, width = page.shape
    y, x = np.mgrid[0:height, 0:width].astype(np.float32)
    angle = rng.uniform(0, math.pi)
    along, across = rng.uniform(0.3, 3, 2) * pitch
    u, v = (x * math.cos(angle) + y * math.sin(angle)) / along, (y * math.cos(angle) - x * math.sin(angle)) / across
    thick = rng.uniform(0.05, 0.5)
    marked = (u % 1 < thick) | (v % 1 < thick if rng.random() < 0.6 else False)
    return page + rng.uniform(-90, 90) * marked


def draw_sides(rng, page, pitch, first, last):
    """What lies beside a line whose characters stand from `first` to `last`: the document's edge and what is behind."""
    height, width = page.shape
    for edge in (first - pitch * rng.uniform(0.35, 4), last + pitch * rng.uniform(0.35, 4)):
        if rng.random() < 0.4:
            continue
        behind = texture(rng, paper(rng, height, width, pitch) * rng.uniform(0.05, 1.1), pitch)
        lean = rng.uniform(-0.15, 0.15) * (np.arange(height) - height / 2)
        columns = np.arange(width)[None, :]
        beyond = columns < edge + lean[:, None] if edge < first else columns > edge + lean[:, None]
        page = np.where(beyond, behind, page).astype(np.float32)
    return page


def draw_strip(rng, glyphs: Glyphs, width: int, beside=0.3):
    """A strip of `width` pixels and for each pair of columns the character there, or GAP. `beside`: the share of ends in it."""
    pitch = float(rng.choice([rng.uniform(9, 14), rng.uniform(14, 24), rng.uniform(16, 30)]))
    columns = int(width / PITCH) + 3
    stretch = rng.uniform(0.86, 1.14)  # glyph's height against its pitch
    narrow = rng.uniform(0.82, 1.06)  # glyph's width against its pitch
    spacing = pitch * rng.choice([rng.uniform(1.35, 2.1), rng.uniform(2.1, 2.9)])
    font = glyphs.fonts[rng.integers(len(glyphs.fonts))]
    weight = rng.integers(-4, 7)
    slant = rng.uniform(-0.1, 0.1) if rng.random() < 0.5 else 0.0
    height = int(3 * spacing + 2 * pitch)
    total = int((columns + 2) * pitch)
    cover = np.zeros((height, total), np.float32)
    scale_x, scale_y = pitch / glyphs.pitch * narrow, pitch / glyphs.pitch * stretch
    middle = height / 2
    cap = glyphs.baseline - glyphs.pitch / 2
    start = rng.uniform(-0.5, 3) if rng.random() < beside else -1.0
    end = columns - rng.uniform(0, 5) if rng.random() < beside else columns + 2
    kernel = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (abs(int(weight)) + 1,) * 2)
    cut = rng.uniform(0.2, 1.3) if rng.random() < 0.6 else 0
    prepared = {}
    centres = []
    lines = [0] + [line for line in (-1, 1) if rng.random() < 0.6]
    for line in lines:
        text = random_text(rng, columns + 2)
        for index, character in enumerate(text):
            place = (start if start > 0 else 0) + index
            if place > end:
                break
            number = glyphs.characters.index(character)
            if number not in prepared:
                cell = font[number]
                if weight:
                    cell = (cv2.dilate if weight > 0 else cv2.erode)(cell, kernel)
                prepared[number] = another_cut(rng, cell, cut) if cut else cell
            cx = (place + 0.5) * pitch + rng.normal(0, 0.012) * pitch
            cy = middle + line * spacing + rng.normal(0, 0.01) * pitch
            warp = np.float32(
                [
                    [scale_x, -slant * scale_x, 0],
                    [0, scale_y, 0],
                ]
            )
            mx, my = glyphs.left + glyphs.pitch / 2, cap
            x0, y0 = int(cx - pitch), int(cy - pitch * 1.2)
            w, h = int(2 * pitch) + 2, int(2.4 * pitch) + 2
            warp[0, 2] = cx - x0 - warp[0, 0] * mx - warp[0, 1] * my
            warp[1, 2] = cy - y0 - warp[1, 1] * my
            source = prepared[number]
            if scale_x < 0.45:
                source = cv2.blur(source, (3, 3)) if scale_x > 0.28 else cv2.blur(source, (5, 5))
            drawn = cv2.warpAffine(source, warp, (w, h), flags=cv2.INTER_LINEAR).astype(np.float32) / 255
            left, top = max(0, -x0), max(0, -y0)
            right, bottom = min(w, total - x0), min(h, height - y0)
            if right > left and bottom > top:
                target = cover[y0 + top : y0 + bottom, x0 + left : x0 + right]
                np.maximum(target, drawn[top:bottom, left:right], out=target)
            if line == 0:
                centres.append((cx, number))
    page = paper(rng, height, total, pitch)
    if rng.random() < 0.3:
        edge = middle + rng.choice([-1, 1]) * pitch * rng.uniform(0.9, 2)
        if edge > middle:
            page[int(edge) :] = rng.uniform(10, 250)
        else:
            page[: max(0, int(edge))] = rng.uniform(10, 250)
    if beside > 0.3:
        middles = [cx for cx, _ in centres]
        page = draw_sides(rng, page, pitch, min(middles) - pitch / 2, max(middles) + pitch / 2)
    ink = rng.uniform(0.35, 1.0)
    if rng.random() < 0.2:
        cover = cover * (1 - 0.5 * np.clip(smooth_noise(rng, height, total, pitch * rng.uniform(0.1, 0.5)), 0, 1))
    dark = rng.uniform(5, 60)
    page = page * (1 - cover * ink) + dark * cover * ink
    page = camera(rng, page, pitch)
    # The strip along a line that the finder placed not quite right.
    across = pitch / PITCH * rng.uniform(0.85, 1.17)
    down = pitch / PITCH * (across / (pitch / PITCH)) * rng.uniform(0.9, 1.12)
    offset = rng.normal(0, 1.4) * down
    tilt = rng.normal(0, 0.012)
    bend = rng.normal(0, 0.6) * down / (width / 2) ** 2
    left = rng.uniform(0, max(1.0, total - width * across)) if total > width * across else (total - width * across) / 2
    u = np.arange(width, dtype=np.float32)
    v = np.arange(HEIGHT, dtype=np.float32)
    shear = rng.normal(0, 0.04)
    course = middle + offset + tilt * across * (u - width / 2) + bend * (u - width / 2) ** 2
    map_x = (left + u[None, :] * across + shear * across * (v[:, None] - HEIGHT / 2)).astype(np.float32)
    map_y = (course[None, :] + (v[:, None] - (HEIGHT - 1) / 2) * down).astype(np.float32)
    strip = cv2.remap(page, map_x, map_y, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    labels = np.full(width // 2, GAP, np.uint8)
    frames = np.arange(width // 2) * 2 + 1
    for cx, number in centres:
        labels[np.abs(frames - (cx - left) / across) <= 3.0] = number
    return local_contrast(strip), labels
