import { expect, test } from 'vitest';
import { portWith } from '../../test-support/port-with.ts';
import { createMailServices } from './mail-services.ts';

test('userMails: without a mailer, nothing is queued', async () => {
  const { userMails } = createMailServices(
    portWith<Parameters<typeof createMailServices>[0]>({ mailer: undefined, recipients: undefined }),
  );
  expect(userMails.isOn).toBe(false);
  await expect(userMails.queue('user.invitation', 'user-1')).rejects.toThrow('sends no mails to users');
});
