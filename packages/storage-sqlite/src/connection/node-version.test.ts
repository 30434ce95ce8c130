import { expect, it } from 'vitest';
import { requireNode } from './connection.ts';

it.each(['20.20.2', '22.13.1', '18.0.0'])('refuses Node %s, which the driver would crash', (version) => {
  const error = {
    code: 'node_too_old',
    message: `SQLite storage needs Node 22.14 or newer, this is Node ${version}`,
  };

  expect(() => requireNode(version)).toThrow(expect.objectContaining(error));
});

it.each(['22.14.0', '24.0.0', process.versions.node])('accepts Node %s', (version) => {
  expect(() => requireNode(version)).not.toThrow();
});
