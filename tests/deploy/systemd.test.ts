import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describeWith } from '@countersign/test-support/servers';
import { describe, expect, it } from 'vitest';
import { ROOT } from './dockerfile.ts';

const FOLDER = join(ROOT, 'deploy/systemd');
const UNIT = join(FOLDER, 'countersign.service');
const sample = (name: string) => readFileSync(join(FOLDER, name), 'utf8');

describe('the samples for systemd', () => {
  const unit = sample('countersign.service');
  const settingOf = (name: string) => new RegExp(`^${name}=(.*)$`, 'm').exec(unit)?.[1];

  it('commands run as the user of the server, with its settings', () => {
    const [, user = ''] = /^u (\S+) /m.exec(sample('countersign.sysusers')) ?? [];
    expect(user).not.toBe('');
    expect(settingOf('User')).toBe(user);
    const command = sample('countersign-run');
    expect(command).toContain(` --uid=${user} `);
    expect(command).toContain(` --property=EnvironmentFile=${settingOf('EnvironmentFile')} `);
    expect(command).toContain(` --property=UMask=${settingOf('UMask')} `);
    expect(command).toContain(` ${settingOf('ExecStart')?.replace(' serve', '')} "$@"`);
  });

  it('the server can write the folders of its settings, and no other', () => {
    const lines = sample('environment')
      .split('\n')
      .filter((line) => /^[A-Z]/.test(line));
    const env = Object.fromEntries(lines.map((line) => line.split('=', 2) as [string, string]));
    const { DATA_DIR, ERASURE_LOG_URL, XDG_CACHE_HOME, PUBLIC_BASE_URL, ...others } = env;
    expect([DATA_DIR, ERASURE_LOG_URL?.replace('file:', '')]).toEqual(
      settingOf('StateDirectory')
        ?.split(' ')
        .map((name) => `/var/lib/${name}`),
    );
    expect(XDG_CACHE_HOME).toBe(`/var/cache/${settingOf('CacheDirectory')}`);
    expect(PUBLIC_BASE_URL).toMatch(/^https:/);
    expect(others).toEqual({ NODE_ENV: 'production', SECRET_KEYS_FILE: '/etc/countersign/secret-keys' });
    expect(settingOf('ProtectSystem')).toBe('strict');
  });
});

describeWith(['systemd-analyze'], 'the systemd unit', () => {
  it('the systemd unit is exposed at most 3.0 of 10', () => {
    const report = execFileSync('systemd-analyze', ['security', '--offline=true', '--no-pager', UNIT]).toString();
    const level = Number(/Overall exposure level for countersign\.service: ([\d.]+)/.exec(report)?.[1]);
    expect(level).toBeGreaterThan(0);
    expect(level).toBeLessThanOrEqual(3);
  });

  it('the systemd unit has no setting that systemd does not know', () => {
    // It also wants the program to be installed: a program that is everywhere stands for it.
    const unit = sample('countersign.service').replace('/usr/local/bin/countersign', '/bin/true');
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
