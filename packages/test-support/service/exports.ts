import type { SubjectAccess } from '@countersign/domain';
import { releaseExport } from '@countersign/domain/actions';
import type { ExportDownload, ReleasedExport } from '@countersign/domain/exports';
import type { Storage } from '@countersign/domain/storage';
import { answerStep } from './answers.ts';
import { newJpeg } from './new-files.ts';
import { givenService, type Service } from './service.ts';
import { givenTeam, operationsAs, signedIn, type Team } from './team.ts';

/** A verification whose data can be exported, and its client's team. */
export interface GivenExport {
  readonly service: Service;
  readonly team: Team;
  readonly verificationId: string;
  readonly access: SubjectAccess;
  /** Releases a copy as the owner of the team. */
  release(): Promise<ReleasedExport>;
  download(released: Pick<ReleasedExport, 'link' | 'code'>): Promise<ExportDownload>;
}

async function* upload(): AsyncGenerator<Uint8Array> {
  yield newJpeg();
}

const lastPart = (url: string): string => url.split('/').at(-1) ?? '';

/** Creates a verification with answers to two steps and two files. */
export async function givenExport(storage?: Storage): Promise<GivenExport> {
  const service = givenService(storage === undefined ? {} : { storage });
  const team = await givenTeam(service);
  const { verifications } = operationsAs(service, team.owner);
  const input = { subjectType: 'kyc', subjectReference: 'user_1', metadata: { order: 'A-7' } };
  const { id: verificationId, verificationUrl } = await verifications.create(input);
  const { subject } = service.countersign;
  const { access } = await subject.open(lastPart(verificationUrl));
  await answerStep(service.countersign, access, 'consent');
  const files = [];
  for (const kind of ['document_front', 'document_back'] as const)
    files.push((await subject.uploadFile(access, { step: 'document', kind }, upload())).file.id);
  const [frontFileId, backFileId] = files;
  const card = { type: 'id_card', issuingCountry: 'DE', number: 'C01X00T47', frontFileId, backFileId };
  await subject.completeStep(access, 'document', card);
  return {
    service,
    team,
    verificationId,
    access,
    release: () => service.countersign.as(signedIn(service, team.owner)).run(releaseExport, { verificationId }),
    download: ({ link, code }) => service.countersign.exports.download({ link: lastPart(link), code }),
  };
}
