import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describeWith } from '@countersign/test-support/servers';
import { expect, it } from 'vitest';
import { ROOT } from './dockerfile.ts';

const UNIT = join(ROOT, 'deploy/systemd/countersign.service');

describeWith(['systemd-analyze'], 'the systemd unit', () => {
  it('is exposed at most 3.0 of 10', () => {
    const report = execFileSync('systemd-analyze', ['security', '--offline=true', '--no-pager', UNIT]).toString();
    const level = Number(/Overall exposure level for countersign\.service: ([\d.]+)/.exec(report)?.[1]);
    expect(level).toBeGreaterThan(0);
    expect(level).toBeLessThanOrEqual(3);
  });

  it('has no setting that systemd does not know', () => {
    // It also wants the program to be installed: a program that is everywhere stands for it.
    const unit = readFileSync(UNIT, 'utf8').replace('/usr/local/bin/countersign', '/bin/true');
    const complaints = verify(unit).filter((line) => /countersign\.service/.test(line));
    expect(complaints).toEqual([]);
    expect(verify(`${unit}\n[Service]\nProtectEverything=yes\n`).join('\n')).toContain('ProtectEverything');
  });
});

function verify(unit: string): readonly string[] {
  const script =
    'cat > "$TMP/countersign.service" && systemd-analyze verify --man=no "$TMP/countersign.service" 2>&1 || true';
  return execFileSync('/bin/sh', ['-c', `TMP=$(mktemp -d); ${script}; rm -rf "$TMP"`], { input: unit })
    .toString()
    .split('\n')
    .filter(Boolean);
}
