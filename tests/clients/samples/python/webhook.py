from countersign_client.models import VerificationWebhook, VerificationWebhookType
from standardwebhooks.webhooks import Webhook

KNOWN = {known.value for known in VerificationWebhookType}


def receive(headers: dict[str, str], body: bytes, secret: str) -> VerificationWebhook | None:
    """Verifies the raw body of a webhook. Raises WebhookVerificationError: answer it with 400."""
    event = Webhook(secret).verify(body, headers)
    # A test, or a type of a later version.
    if event["type"] not in KNOWN:
        return None
    return VerificationWebhook.from_dict(event)
