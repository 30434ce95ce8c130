import { closable, type MailQueue, type Storage } from '@countersign/domain/storage';
import { createMemoryStorage } from '@countersign/memory';
import { expect, it } from 'vitest';

/** A port as a class, whose operations use `this` and end when the test says so. */
class SlowMails {
  readonly name = 'slow';
  readonly #inner: MailQueue;
  readonly #turn: Promise<unknown>;

  constructor(inner: MailQueue, turn: Promise<unknown>) {
    this.#inner = inner;
    this.#turn = turn;
  }

  async add(...given: Parameters<MailQueue['add']>): Promise<void> {
    await this.#turn;
    await this.#inner.add(...given);
  }

  async lease(...given: Parameters<MailQueue['lease']>): ReturnType<MailQueue['lease']> {
    await this.#turn;
    return this.#inner.lease(...given);
  }

  settle(...given: Parameters<MailQueue['settle']>): ReturnType<MailQueue['settle']> {
    return this.#inner.settle(...given);
  }

  takeFromBudgets(...given: Parameters<MailQueue['takeFromBudgets']>): ReturnType<MailQueue['takeFromBudgets']> {
    return this.#inner.takeFromBudgets(...given);
  }

  returnToBudgets(...given: Parameters<MailQueue['returnToBudgets']>): ReturnType<MailQueue['returnToBudgets']> {
    return this.#inner.returnToBudgets(...given);
  }

  deleteEndedBudgets(
    ...given: Parameters<MailQueue['deleteEndedBudgets']>
  ): ReturnType<MailQueue['deleteEndedBudgets']> {
    return this.#inner.deleteEndedBudgets(...given);
  }

  backlog(...given: Parameters<MailQueue['backlog']>): ReturnType<MailQueue['backlog']> {
    return this.#inner.backlog(...given);
  }

  expiringKeys(...given: Parameters<MailQueue['expiringKeys']>): ReturnType<MailQueue['expiringKeys']> {
    return this.#inner.expiringKeys(...given);
  }

  noteKeyExpiry(...given: Parameters<MailQueue['noteKeyExpiry']>): ReturnType<MailQueue['noteKeyExpiry']> {
    return this.#inner.noteKeyExpiry(...given);
  }
}

function givenStorage() {
  const { promise: turn, resolve: go, reject: fail } = Promise.withResolvers<void>();
  const inner = createMemoryStorage();
  Object.setPrototypeOf(inner.indexes, null);
  const steps: string[] = [];
  const storage = closable({
    ...inner,
    mails: new SlowMails(inner.mails, turn),
    close: async () => void steps.push('closed'),
  } satisfies Storage);
  return { storage, steps, go, fail };
}

it('closable: ports can be classes', async () => {
  const { storage, go } = givenStorage();
  go();

  await storage.mails.add([]);

  expect(await storage.mails.backlog({ now: new Date(0), limit: 1 })).toEqual({ waiting: 0, oldestAt: null });
});

it('closable: ports have their operations, and nothing else', () => {
  const { storage } = givenStorage();
  const { mails, indexes } = createMemoryStorage();
  expect(Object.keys(storage.mails).toSorted()).toEqual(Object.keys(mails).toSorted());
  expect(Object.keys(storage.indexes).toSorted()).toEqual(Object.keys(indexes).toSorted());
});

it('closable: releases resources once, after running calls, also those that fail', async () => {
  const { storage, steps, fail } = givenStorage();
  const adding = storage.mails.add([]).catch(() => steps.push('failed'));
  const pinging = storage.ping().then(() => steps.push('pinged'));

  const closing = [storage.close(), storage.close()];
  await pinging;
  fail(new Error('The disk is full'));
  await Promise.all([...closing, adding]);

  expect(steps).toEqual(['pinged', 'failed', 'closed']);
});

it('closable: rejects calls that begin after close was called, and names the mistake', async () => {
  const { storage, go } = givenStorage();
  go();

  const closing = storage.close();

  await expect(storage.clients.list()).rejects.toMatchObject({
    code: 'SERVICE_UNAVAILABLE',
    message: 'The storage is closed. Close it after everything that uses it.',
  });
  await closing;
  await expect(storage.ping()).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
});
