import os
import uuid

from countersign_client import AuthenticatedClient
from countersign_client.api.verifications import (
    create_verification,
    get_verification,
    get_verification_details,
    list_verifications,
    withdraw_verification,
)
from countersign_client.models import (
    CreateVerificationResponse201,
    CreateVerificationResponse409,
    NewVerification,
    NewVerificationSubjectType,
)

client = AuthenticatedClient(
    base_url=os.environ["BASE"], token=os.environ["KEY"], prefix="", auth_header_name="X-API-Key"
)
body = NewVerification(subject_type=NewVerificationSubjectType.KYC, subject_reference="user_python")

answer = create_verification.sync(client=client, body=body, idempotency_key=str(uuid.uuid4()))
if not isinstance(answer, CreateVerificationResponse201):
    raise SystemExit(answer)  # has a code, such as LIMIT_EXCEEDED
created = answer.data
print("created", created.verification_url)

again = create_verification.sync(client=client, body=body, idempotency_key=str(uuid.uuid4()))
if isinstance(again, CreateVerificationResponse409):
    print("refused", again.code, again.data.verification_id)

print("read", get_verification.sync(created.id, client=client).data.status)
for listed in list_verifications.sync(client=client, limit=100).data.verifications:
    details = get_verification_details.sync(listed.id, client=client).data
    print("details", details.status, details.total_steps)

print("withdrawn", withdraw_verification.sync(created.id, client=client).data.status)
