import type { NewClient } from '@countersign/domain/clients';
import { type GivenApi, givenApi } from '@countersign/test-support/installation/customer';
import { newTeamMember, type StaffForms } from '@countersign/test-support/pages/staff-forms';
import type { ServerProcess } from '@countersign/test-support/processes/server-process';

/** A client and its owner. The owner has confirmed their password, which stays valid for the whole test. */
export interface ClientTeam extends GivenApi {
  readonly owner: StaffForms;
}

export async function givenClientTeam(server: ServerProcess, input: Partial<NewClient> = {}): Promise<ClientTeam> {
  const client = await givenApi(server, input);
  const owner = await newTeamMember(server, client.clientId);
  await owner.confirm();
  return { ...client, owner };
}
