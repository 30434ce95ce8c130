"""The two networks, their training and their weights in one byte each."""

import os

os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "2")
import numpy as np
import tensorflow as tf
from tensorflow import keras

layers = keras.layers


def conv(x, filters, size, strides=(1, 1), dilation=1, padding="same", name=None):
    x = layers.Conv2D(filters, size, strides=strides, dilation_rate=dilation, padding=padding, use_bias=False, name=name)(x)
    x = layers.BatchNormalization(name=f"{name}_norm", momentum=0.95)(x)
    return layers.ReLU()(x)


def recogniser(height=24):
    image = keras.Input((height, None, 1))
    x = conv(image, 16, (3, 3), (2, 2), name="r1")
    x = conv(x, 24, (3, 3), (2, 1), name="r2")
    x = conv(x, 32, (3, 3), (2, 1), name="r3")
    x = layers.ZeroPadding2D((0, 2))(x)
    x = conv(x, 64, (3, 5), padding="valid", name="r4")
    x = conv(x, 64, (1, 5), name="r5")
    x = layers.Conv2D(38, (1, 1), name="r6")(x)
    return keras.Model(image, layers.Lambda(lambda y: y[:, 0])(x))


def finder():
    image = keras.Input((None, None, 1))
    x = conv(image, 8, (5, 5), (2, 2), name="f1")
    fine = conv(x, 16, (3, 3), (2, 2), name="f2")
    x = conv(fine, 24, (3, 3), (2, 2), name="f3")
    for index, dilation in enumerate((1, 2, 4, 8)):
        x = conv(x, 24, (3, 3), dilation=dilation, name=f"f{index + 4}")
    x = layers.UpSampling2D(2)(x)
    x = layers.Concatenate()([fine, x])
    x = conv(x, 16, (3, 3), name="f8")
    x = layers.Conv2D(1, (1, 1), name="f9")(x)
    return keras.Model(image, x)


def folded(model):
    """Name, kernel [ky, kx, in, out] and bias of each convolution, its normalisation folded in."""
    for layer in model.layers:
        if not isinstance(layer, layers.Conv2D):
            continue
        kernel = layer.kernel.numpy()
        if layer.use_bias:
            yield layer.name, kernel, layer.bias.numpy()
            continue
        norm = model.get_layer(f"{layer.name}_norm")
        gamma, beta, mean, variance = (value.numpy() for value in (norm.gamma, norm.beta, norm.moving_mean, norm.moving_variance))
        factor = gamma / np.sqrt(variance + norm.epsilon)
        yield layer.name, kernel * factor, beta - mean * factor


def weights_file(models):
    """Bytes of the weights: for each convolution a scale and a bias (float32) for each output, then its kernel (int8)."""
    described, parts, offset = [], [], 0
    for model in models:
        for name, kernel, bias in folded(model):
            scale = np.maximum(np.abs(kernel).max(axis=(0, 1, 2)), 1e-8) / 127
            quantised = np.clip(np.round(kernel / scale), -127, 127).astype(np.int8)
            part = scale.astype("<f4").tobytes() + bias.astype("<f4").tobytes() + quantised.tobytes()
            part += b"\0" * (-len(part) % 4)
            described.append({"name": name, "shape": list(kernel.shape), "offset": offset})
            parts.append(part)
            offset += len(part)
    return b"".join(parts), described
