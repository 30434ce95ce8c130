import { expect, it } from 'vitest';
import { cameraWarnings } from './camera-warning.ts';

it.each([
  ['https://verify.example', 0],
  ['http://localhost:3000', 0],
  ['http://app.localhost', 0],
  ['http://127.0.0.1:3000', 0],
  ['http://[::1]:3000', 0],
  ['http://192.168.1.20:3000', 1],
  ['http://countersign.internal', 1],
  ['http://localhost.example', 1],
])('the address %s of the pages has %i warnings about the camera', (address, count) => {
  expect(cameraWarnings(address)).toHaveLength(count);
});
