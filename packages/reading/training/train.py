"""Trains the finder and the recogniser: see README.md beside this file."""

import argparse
import hashlib
import json
import os
import time

import cv2
import numpy as np

SHARD = 1000


def make_strips(options):
    import strips

    cv2.setNumThreads(1)
    glyphs = strips.Glyphs(options.glyphs)
    os.makedirs(options.folder, exist_ok=True)
    for shard in range(options.first, options.shards, options.step):
        path = f"{options.folder}/{shard:03}.npz"
        if os.path.exists(path):
            continue
        rng = np.random.default_rng([options.seed, shard])
        drawn = [strips.draw_strip(rng, glyphs, 256, options.beside) for _ in range(SHARD)]
        pictures = np.stack([np.round(strip * 40).astype(np.int8) for strip, _ in drawn])
        np.savez(f"{path}.part.npz", pictures=pictures, labels=np.stack([labels for _, labels in drawn]))
        os.rename(f"{path}.part.npz", path)


def load_shard(folder, shard):
    path = f"{folder}/{shard:03}.npz"
    while not os.path.exists(path):
        time.sleep(1)
    data = np.load(path)
    return data["pictures"], data["labels"]


def begin(options, make):
    """Seeds everything, makes the network or goes on with its weights, and returns it with its random numbers and optimizer."""
    import tensorflow as tf

    tf.config.threading.set_intra_op_parallelism_threads(options.threads)
    tf.config.threading.set_inter_op_parallelism_threads(1)
    tf.keras.utils.set_random_seed(options.seed)
    model = make()
    if options.start:
        model.load_weights(options.start)
    rate = tf.keras.optimizers.schedules.CosineDecay(options.rate, options.steps, alpha=0.02)
    return model, np.random.default_rng(options.seed), tf.keras.optimizers.Adam(rate)


def train_recogniser(options):
    import networks
    import tensorflow as tf

    model, rng, optimizer = begin(options, networks.recogniser)
    steps = options.steps
    loss_of = tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True)

    @tf.function(jit_compile=False)
    def step(pictures, labels):
        with tf.GradientTape() as tape:
            logits = model(pictures, training=True)
            loss = loss_of(labels, logits)
        gradients = tape.gradient(loss, model.trainable_variables)
        optimizer.apply_gradients(zip(gradients, model.trainable_variables))
        right = tf.cast(tf.equal(tf.argmax(logits, -1, output_type=tf.int32), labels), tf.float32)
        mask = tf.cast(labels < 37, tf.float32)
        return loss, tf.reduce_sum(right * mask) / (tf.reduce_sum(mask) + 1)

    held = load_shard(options.folder, 0)
    pictures, labels = load_shard(options.folder, 1)
    loaded = 2
    began = time.time()
    shown = []
    for number in range(options.until or steps):
        # Shards join in a fixed rhythm, so that a training does not depend on how fast they are drawn.
        while loaded < options.shards and number >= (loaded - 1) * options.rhythm:
            more = load_shard(options.folder, loaded)
            pictures, labels = np.concatenate([pictures, more[0]]), np.concatenate([labels, more[1]])
            loaded += 1
        choice = rng.integers(0, len(pictures), 64)
        batch = pictures[choice].astype(np.float32) / 40
        batch = batch * rng.uniform(0.85, 1.2, (64, 1, 1)) + rng.standard_normal(batch.shape) * rng.uniform(0, 0.12, (64, 1, 1))
        shown.append([float(v) for v in step(batch.astype(np.float32)[..., None], labels[choice].astype(np.int32))])
        if (number + 1) % 250 == 0 or number + 1 == (options.until or steps):
            logits = model(held[0][:500].astype(np.float32)[..., None] / 40, training=False).numpy()
            right = (logits.argmax(-1) == held[1][:500])[held[1][:500] < 37].mean()
            print(number + 1, loaded, f"{time.time() - began:.0f}s", np.round(np.mean(shown, 0), 4), f"held {right:.4f}", flush=True)
            shown = []
            model.save_weights(options.out)


def finder_batch(rng, pictures, targets, count, size, side=384):
    """Pictures turned, mirrored in light, cut and scaled, with their lines likewise."""
    batch = np.zeros((count, size, size, 1), np.float32)
    marks = np.zeros((count, size // 4, size // 4), np.float32)
    for k in range(count):
        i = rng.integers(len(pictures))
        picture, target = pictures[i], targets[i]
        turns = rng.integers(4)
        picture, target = np.rot90(picture, turns), np.rot90(target, turns)
        height, width = picture.shape
        angle = rng.normal(0, 7) if rng.random() < 0.6 else 0
        scale = side / max(height, width) * rng.choice([1.0, rng.uniform(0.6, 1.4)])
        warp = cv2.getRotationMatrix2D((width / 2, height / 2), angle, scale)
        warp[:, 2] += np.array([size / 2 - width / 2, size / 2 - height / 2]) + rng.normal(0, 8, 2) + rng.uniform(-1, 1, 2) * (side - size) / 2
        fill = float(rng.uniform(0, 255))
        picture = cv2.warpAffine(np.ascontiguousarray(picture), warp, (size, size), flags=cv2.INTER_AREA, borderMode=cv2.BORDER_CONSTANT, borderValue=fill).astype(np.float32)
        mark = cv2.warpAffine(np.ascontiguousarray(target), warp, (size, size), flags=cv2.INTER_LINEAR)
        if rng.random() < 0.5:
            picture = 255 * (np.clip(picture, 0, 255) / 255) ** rng.uniform(0.6, 1.6)
        picture = picture * rng.uniform(0.6, 1.15) + rng.uniform(-20, 20)
        if rng.random() < 0.3:
            picture = cv2.GaussianBlur(picture, (0, 0), rng.uniform(0.3, 0.9))
        picture = picture + rng.uniform(0, 8) * rng.standard_normal(picture.shape)
        picture = np.clip(picture, 0, 255)
        batch[k, ..., 0] = (picture - picture.mean()) / (picture.std() + 8)
        marks[k] = mark.reshape(size // 4, 4, size // 4, 4).max((1, 3)) / 255
    return batch, (marks > 0.45).astype(np.float32)


def load_pictures(folder, shard):
    """What draw.ts wrote: height and width in two bytes each, the picture, its lines."""
    path = f"{folder}/{shard}.bin"
    while not os.path.exists(path):
        time.sleep(1)
    packed = np.fromfile(path, np.uint8)
    pictures, targets, at = [], [], 0
    while at < len(packed):
        height, width = int(packed[at]) * 256 + int(packed[at + 1]), int(packed[at + 2]) * 256 + int(packed[at + 3])
        at += 4
        area = height * width
        pictures.append(packed[at : at + area].reshape(height, width))
        targets.append(packed[at + area : at + 2 * area].reshape(height, width))
        at += 2 * area
    return pictures, targets


def train_finder(options):
    import networks
    import tensorflow as tf

    cv2.setNumThreads(1)
    model, rng, optimizer = begin(options, networks.finder)
    steps = options.steps

    @tf.function
    def step(pictures, marks):
        with tf.GradientTape() as tape:
            logits = model(pictures, training=True)[..., 0]
            each = tf.nn.weighted_cross_entropy_with_logits(marks, logits, 3.0)
            overlap = 2 * tf.reduce_sum(tf.sigmoid(logits) * marks) / (tf.reduce_sum(tf.sigmoid(logits)) + tf.reduce_sum(marks) + 1)
            loss = tf.reduce_mean(each) * 10 + 1 - overlap
        gradients = tape.gradient(loss, model.trainable_variables)
        optimizer.apply_gradients(zip(gradients, model.trainable_variables))
        return loss, overlap

    pictures, targets, loaded = [], [], 0
    began, shown = time.time(), []
    for number in range(steps):
        # As with strips, a fixed rhythm.
        while loaded < options.shards and number >= (loaded - 1) * options.rhythm:
            more = load_pictures(options.folder, loaded)
            pictures, targets, loaded = pictures + more[0], targets + more[1], loaded + 1
        batch, marks = finder_batch(rng, pictures, targets, 8, 288)
        shown.append([float(v) for v in step(batch, marks)])
        if (number + 1) % 100 == 0 or number + 1 == steps:
            print(number + 1, len(pictures), f"{time.time() - began:.0f}s", np.round(np.mean(shown, 0), 4), flush=True)
            shown = []
            model.save_weights(options.out)


def export(options):
    import networks

    finder, recogniser = networks.finder(), networks.recogniser()
    finder.load_weights(options.finder)
    recogniser.load_weights(options.recogniser)
    content, layers = networks.weights_file([finder, recogniser])
    os.makedirs(options.folder, exist_ok=True)
    with open(f"{options.folder}/mrz.bin", "wb") as file:
        file.write(content)
    about = json.load(open(options.about)) if options.about else {}
    manifest = {"sha256": hashlib.sha256(content).hexdigest(), "bytes": len(content), "layers": layers, **about}
    with open(f"{options.folder}/manifest.json", "w") as file:
        json.dump(manifest, file, indent=2)
        file.write("\n")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("task", choices=["strips", "recogniser", "finder", "export"])
    parser.add_argument("--folder", required=True)
    parser.add_argument("--glyphs")
    parser.add_argument("--out")
    parser.add_argument("--start")
    parser.add_argument("--finder")
    parser.add_argument("--recogniser")
    parser.add_argument("--about")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--shards", type=int, default=24)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--step", type=int, default=1)
    parser.add_argument("--steps", type=int, default=4000)
    parser.add_argument("--until", type=int)
    parser.add_argument("--beside", type=float, default=0.3)
    parser.add_argument("--rhythm", type=int, default=60)
    parser.add_argument("--rate", type=float, default=2e-3)
    parser.add_argument("--threads", type=int, default=1)
    options = parser.parse_args()
    {"strips": make_strips, "recogniser": train_recogniser, "finder": train_finder, "export": export}[options.task](options)


main()
