import { describe, expect, it } from 'vitest';
import { messageTo } from '../test-support/messages.ts';
import { startReceiver } from '../test-support/receiver.ts';
import { createWebhookSender, parseNetworks } from './index.ts';

/** Hosts that lead inward, each in a form of its own. */
const INWARD = [
  '127.0.0.1',
  '127.1',
  '2130706433',
  '0x7f000001',
  '0177.0.0.1',
  '127.0.0.1.',
  '１２７.0.0.1',
  '127.255.255.254',
  '0.0.0.0',
  '0',
  '10.0.0.1',
  '172.16.0.1',
  '192.168.0.1',
  '169.254.169.254',
  '100.64.0.1',
  '198.18.0.1',
  '192.0.0.192',
  '100.100.100.200',
  '168.63.129.16',
  '0xa83f8110',
  '[::ffff:168.63.129.16]',
  '[64:ff9b::168.63.129.16]',
  '161.26.0.10',
  '166.9.14.1',
  '224.0.0.1',
  '240.0.0.1',
  '255.255.255.255',
  '[::]',
  '[::1]',
  '[::ffff:127.0.0.1]',
  '[::ffff:a9fe:a9fe]',
  '[::127.0.0.1]',
  '[::ffff:0:127.0.0.1]',
  '[64:ff9b::127.0.0.1]',
  '[64:ff9b:1::127.0.0.1]',
  '[2002:7f00:1::]',
  '[2001:0:7f00:1::]',
  '[fe80::1]',
  '[fec0::1]',
  '[fd00:ec2::254]',
  '[fc00::1]',
  '[ff02::1]',
  '[100::1]',
  '[2001:db8::1]',
  '[4000::1]',
  'localhost',
  'localhost.',
  'LOCALHOST',
  'hooks.localhost',
];

/** Names that an owner of a domain points inward. */
const NAMES: Readonly<Record<string, readonly string[]>> = {
  'private.example': ['10.0.0.1'],
  'metadata.example': ['169.254.169.254'],
  'azure.example': ['168.63.129.16'],
  'loopback.example': ['127.0.0.1'],
  'loopback6.example': ['::1'],
  'mapped.example': ['::ffff:127.0.0.1'],
  'partly.example': ['93.184.215.14', '127.0.0.1'],
};

const resolveName = async (name: string) => NAMES[name] ?? [];
const REASON = /^The host has an address that is not public/;

describe('a sender without allowed networks', () => {
  it(`opens no connection to ${INWARD.length} forms of inward addresses and gives a reason`, async () => {
    const receiver = await startReceiver();
    for (const protocol of ['https', 'http']) {
      for (const host of INWARD) {
        const url = `${protocol}://${host}:${receiver.port}/`;
        const { status, fault } = await createWebhookSender().send(messageTo(url));
        expect({ url, status, fault }).toEqual({ url, status: null, fault: expect.stringMatching(REASON) });
      }
    }
    expect(receiver.connections()).toBe(0);
  });

  it('opens no connection for names that lead inward', async () => {
    const receiver = await startReceiver();
    const sender = createWebhookSender({ resolveName });
    for (const name of Object.keys(NAMES)) {
      const { fault } = await sender.send(messageTo(`https://${name}:${receiver.port}/`));
      expect({ name, fault }).toEqual({ name, fault: expect.stringMatching(REASON) });
    }
    expect(receiver.connections()).toBe(0);
  });

  it('opens no connection by http://, to no valid URL, and by no other protocol', async () => {
    const receiver = await startReceiver();
    // The address of the name is public, so that only the protocol is refused.
    const sender = createWebhookSender({ resolveName: async () => ['93.184.215.14'] });
    const faultOf = async (url: string) => (await sender.send(messageTo(url))).fault;
    expect(await faultOf(`http://shop.example:${receiver.port}/`)).toBe(
      'The URL begins with http://. Use https://.',
    );
    for (const url of [
      '',
      'hooks',
      `ftp://localhost:${receiver.port}/`,
      'https://[fe80::1%25eth0]/',
      'https://a b/',
    ])
      expect(await faultOf(url)).toBe('The URL is not a valid https:// address.');
    expect(receiver.connections()).toBe(0);
  });

  it('says that a name has no address', async () => {
    const sender = createWebhookSender({ resolveName });
    const { fault } = await sender.send(messageTo('https://nowhere.example/'));
    expect(fault).toBe('The name of the host could not be resolved. Check the URL.');
  });
});

describe('a name that turns inward after the check', () => {
  it('an address is checked for each request, and each request has a connection of its own', async () => {
    const receiver = await startReceiver();
    let addresses = ['127.0.0.2'];
    const sender = createWebhookSender({
      allowedNetworks: ['127.0.0.2'],
      resolveName: async () => addresses,
    });
    const url = `http://shop.example:${receiver.port}/`;
    expect(await sender.send(messageTo(url))).toMatchObject({ status: 204 });
    addresses = ['127.0.0.1'];
    expect((await sender.send(messageTo(url))).fault).toMatch(REASON);
    expect(receiver.connections()).toBe(1);
  });

  it('a host name is resolved once for a request: the checked address is the connected one', async () => {
    const receiver = await startReceiver();
    let questions = 0;
    const sender = createWebhookSender({
      allowedNetworks: ['127.0.0.2'],
      resolveName: async () => [questions++ === 0 ? '127.0.0.2' : '127.0.0.1'],
    });
    expect(await sender.send(messageTo(`http://shop.example:${receiver.port}/`))).toMatchObject({ status: 204 });
    expect(questions).toBe(1);
  });
});

describe('allowedNetworks', () => {
  it('permits addresses of a network, in both IP versions and by http://, and no others', async () => {
    const receiver = await startReceiver();
    const sender = createWebhookSender({ allowedNetworks: ['127.0.0.1/32', '::1/128'] });
    for (const host of ['127.0.0.1', '[::1]', 'localhost', '0x7f000001']) {
      expect(await sender.send(messageTo(`http://${host}:${receiver.port}/`))).toMatchObject({ status: 204 });
    }
    expect(receiver.connections()).toBe(4);
    for (const host of ['127.0.0.2', '[::ffff:127.0.0.1]', '0.0.0.0', '10.0.0.1']) {
      expect((await sender.send(messageTo(`http://${host}:${receiver.port}/`))).fault).toMatch(REASON);
    }
    expect(receiver.connections()).toBe(4);
  });

  it.each([
    ['10.0.0.0/8', ['10.0.0.0/8']],
    [' 10.20.0.0/16 , fd12:3456::/48', ['10.20.0.0/16', 'fd12:3456::/48']],
    ['192.168.7.9', ['192.168.7.9/32']],
    ['::1', ['::1/128']],
    ['0.0.0.0/0', ['0.0.0.0/0']],
  ])('parses %s', (text, networks) => {
    expect(parseNetworks(text)).toEqual(networks);
  });

  it.each([
    ['', '"" is not a network such as 10.20.0.0/16 or fd12:3456::/48'],
    ['10.0.0.0/8,', '"" is not a network'],
    ['10.0.0/8', '"10.0.0/8" is not a network'],
    ['010.0.0.0/8', '"010.0.0.0/8" is not a network'],
    ['intranet.example', '"intranet.example" is not a network'],
    ['fe80::1%eth0', '"fe80::1%eth0" is not a network'],
    ['10.0.0.0/8/8', '"10.0.0.0/8/8" is not a network'],
    ['10.0.0.0/33', 'the prefix of "10.0.0.0/33" is not a number from 0 to 32'],
    ['fd00::/129', 'the prefix of "fd00::/129" is not a number from 0 to 128'],
    ['10.0.0.0/x', 'the prefix of "10.0.0.0/x" is not a number'],
    ['10.1.2.3/8', '"10.1.2.3/8" is not the start of a network: write 10.0.0.0/8'],
    ['fd00::1/64', '"fd00::1/64" is not the start of a network: write fd00::/64'],
  ])('refuses %j', (text, message) => {
    expect(() => parseNetworks(text)).toThrow(message);
    expect(() => createWebhookSender({ allowedNetworks: [text] })).toThrow(TypeError);
  });
});
