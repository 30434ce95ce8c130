// Generated from the OpenAPI document of the API: do not edit. `npm run client-types` writes it again.

export interface paths {
    "/verifications": {
        parameters: SharedParameters;
        /**
         * Lists verifications, page by page.
         * @description Needs the permission `verifications:read` (or `*`).
         */
        get: operations["listVerifications"];
        put?: never;
        /**
         * Creates a verification.
         * @description Needs the permission `verifications:create` (or `*`). Send the subject to its `verificationUrl`. A client has at most one active verification for a `subjectReference`. Only a 201 counts toward the monthly limit.
         */
        post: operations["createVerification"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/verifications/{id}": {
        parameters: SharedParameters;
        /**
         * Gets a verification.
         * @description Needs the permission `verifications:read` (or `*`).
         */
        get: operations["getVerification"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/verifications/{id}/details": {
        parameters: SharedParameters;
        /**
         * Gets the full details of a verification.
         * @description Needs the permission `verifications:read` (or `*`). Adds steps, requested actions, decision, documents, history and the state of the data.
         */
        get: operations["getVerificationDetails"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/verifications/{id}/files/{fileId}": {
        parameters: SharedParameters;
        /**
         * Downloads a file of a verification.
         * @description Needs the permission `*`. An owner of the client’s team must also have switched on access to files in the dashboard. The files are those in `documents` of the details. Each download is recorded in the audit log. The files of a verification whose data is erased, or hidden because its erasure was requested, get 409 `ILLEGAL_TRANSITION`.
         */
        get: operations["getVerificationFile"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/verifications/{id}/export": {
        parameters: SharedParameters;
        /**
         * Exports a verification with its files.
         * @description Needs the permission `*`. An owner of the client’s team must also have switched on access to files in the dashboard. The zip has each file of `documents` in the folder `files`, and `data.json` with the details: answers, decision and history. It is streamed, so its length is not known in advance; an interrupted zip has no directory at its end. A file whose content is missing or damaged is listed in `unreadableFiles` of `data.json` and in `INCOMPLETE.txt`; any other fault interrupts the zip. Each export is recorded in the audit log. A verification whose data is erased, or hidden because its erasure was requested, gets 409 `ILLEGAL_TRANSITION`.
         */
        get: operations["exportVerification"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/verifications/{id}/withdraw": {
        parameters: SharedParameters;
        get?: never;
        put?: never;
        /**
         * Withdraws a verification.
         * @description Needs the permission `verifications:create` (or `*`). Ends a verification that is `pending` or `action_needed`: it becomes `rejected` with the reason `withdrawn`, for good, and its `subjectReference` is free again. It still counts toward the month it was created in. A verification that is withdrawn already is returned unchanged, so the request can be repeated. Without `verifications:read`, `submittedData` is empty.
         */
        post: operations["withdrawVerification"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/verifications/{id}/relationship-end": {
        parameters: SharedParameters;
        get?: never;
        /**
         * Sets when the relationship with the subject ended.
         * @description Needs the permission `verifications:create` (or `*`). The period for which the data of an approved verification is kept begins then. Send it again to change the time, or send null to remove it. A requested erasure follows the new time.
         */
        put: operations["endRelationship"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/verifications/{id}/data": {
        parameters: SharedParameters;
        get?: never;
        put?: never;
        post?: never;
        /**
         * Erases the data of a verification.
         * @description Needs the permission `*`. Answers, files, metadata, notes and the `subjectReference` are erased for good; the verification keeps its id, status and times, and still counts. Where the law requires the data to be kept, it is hidden from now on and erased as soon as the law allows it, at `until`. A hold delays the erasure in the same way. The request can be repeated.
         */
        delete: operations["eraseVerificationData"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/openapi.json": {
        parameters: SharedParameters;
        /**
         * Gets this document.
         * @description Needs no key. Counts toward the rate limit of the network address.
         */
        get: operations["getOpenApiDocument"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export interface webhooks {
    "verification.created": {
        parameters: SharedParameters;
        get?: never;
        put?: never;
        /** A verification was created. */
        post: operations["verification.created"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "verification.submitted": {
        parameters: SharedParameters;
        get?: never;
        put?: never;
        /** The subject completed every open step. */
        post: operations["verification.submitted"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "verification.action_needed": {
        parameters: SharedParameters;
        get?: never;
        put?: never;
        /** A reviewer asks the subject to redo steps. */
        post: operations["verification.action_needed"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "verification.approved": {
        parameters: SharedParameters;
        get?: never;
        put?: never;
        /** The verification was approved. */
        post: operations["verification.approved"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "verification.rejected": {
        parameters: SharedParameters;
        get?: never;
        put?: never;
        /** The verification was rejected or withdrawn, or it expired. */
        post: operations["verification.rejected"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "verification.link_renewed": {
        parameters: SharedParameters;
        get?: never;
        put?: never;
        /** The subject has a new link, and the earlier one ended. */
        post: operations["verification.link_renewed"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "verification.data_restricted": {
        parameters: SharedParameters;
        get?: never;
        put?: never;
        /** The erasure of the data was requested. It is hidden until the law, or a hold, allows the erasure. */
        post: operations["verification.data_restricted"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "verification.data_erased": {
        parameters: SharedParameters;
        get?: never;
        put?: never;
        /** The data was erased, on request or at the end of its period. */
        post: operations["verification.data_erased"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "webhook.test": {
        parameters: SharedParameters;
        get?: never;
        put?: never;
        /** A user sent a test from the dashboard or the command line. */
        post: operations["webhook.test"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export interface components {
    schemas: {
        NewVerification: {
            /**
             * @description An individual or a business.
             * @enum {string}
             */
            subjectType: "kyc" | "kyb";
            /** @description The client's own unique identifier for the subject, kept as sent. */
            subjectReference: string;
            /** @description Additional data, at most 16384 bytes and 20 levels deep, returned unchanged on every read. In test mode, `sandboxOutcome` in it (approved, rejected, action_needed) drives the verification there by itself; in live mode it has no effect. */
            metadata?: {
                [key: string]: components["schemas"]["MetadataValue"];
            };
            /** @description Where the subject may return to: an https address of at most 2048 characters, below one of the client's return addresses. The last page offers it as a link, with `verificationId` and `status` added to its query. */
            returnUrl?: string;
            /** @description Language tag (BCP 47) of the language in which the subject's pages open, such as `de` or `de-AT`. With a language that the pages do not have, they open in that of the browser. */
            locale?: string;
            /** @description Where the service sends the link, a reminder, requests for action and the result, in the language of `locale`. Stored encrypted, and never returned. Refused if this service sends no e-mail. */
            notify?: {
                /**
                 * Format: email
                 * @description The subject's e-mail address: one plain address, without a name.
                 */
                email: string;
            };
        };
        /** @description Any JSON value that every read can return unchanged. An integer beyond ±9007199254740991 (2^53 − 1) is refused, because many readers would change its digits: send it as text. Fractions are kept as IEEE 754 doubles, with up to 17 significant digits. Text must be well-formed Unicode without NUL. The key `__proto__` is refused. */
        MetadataValue: unknown;
        RelationshipEnd: {
            /** @description When the relationship ended, with an offset or `Z`: at most a day ahead. Null removes it: the relationship continues. */
            endedAt: string | null;
        };
        /** @description The verification that was created. */
        CreatedVerification: {
            /** @description Identifier of the verification, assigned by the service: a UUID. */
            id: string;
            /**
             * @description The `subjectType` sent at creation.
             * @enum {string}
             */
            type: "kyc" | "kyb";
            /** @description The client's own identifier for the subject, as sent. */
            subjectReference: string;
            /** @constant */
            status: "pending";
            /**
             * Format: date-time
             * @description Time of creation, UTC.
             */
            requestedAt: string;
            /** @constant */
            currentStep: 0;
            /**
             * Format: uri
             * @description Where to send the subject to complete the verification.
             */
            verificationUrl: string;
        };
        /** @description A verification. */
        Verification: {
            /** @description Identifier of the verification, assigned by the service: a UUID. */
            id: string;
            /**
             * @description The `subjectType` sent at creation.
             * @enum {string}
             */
            type: "kyc" | "kyb";
            /** @description The client's own identifier for the subject, as sent. */
            subjectReference: string;
            /** @enum {string} */
            status: "pending" | "submitted" | "action_needed" | "approved" | "rejected";
            /**
             * Format: date-time
             * @description Time of creation, UTC.
             */
            requestedAt: string;
            /** @description How many leading steps are complete; 0 at creation. */
            currentStep: number;
            /**
             * Format: uri
             * @description Where to send the subject to complete the verification.
             */
            verificationUrl: string;
            /** @description Time of resolution, UTC; null while unresolved. */
            resolvedAt: string | null;
            submittedData: components["schemas"]["SubmittedData"];
            /** @description The metadata sent at creation, unchanged; empty if none was sent. */
            metadata: {
                [key: string]: unknown;
            };
            /** @description Present if it was sent at creation. */
            returnUrl?: string;
            /** @description Present if it was sent at creation. */
            locale?: string;
        };
        /** @description One page of a list. */
        VerificationPage: {
            verifications: {
                /** @description Identifier of the verification, assigned by the service: a UUID. */
                id: string;
                /**
                 * @description The `subjectType` sent at creation.
                 * @enum {string}
                 */
                type: "kyc" | "kyb";
                /** @description The client's own identifier for the subject, as sent. */
                subjectReference: string;
                /** @enum {string} */
                status: "pending" | "submitted" | "action_needed" | "approved" | "rejected";
                /**
                 * Format: date-time
                 * @description Time of creation, UTC.
                 */
                requestedAt: string;
                /** @description How many leading steps are complete; 0 at creation. */
                currentStep: number;
                /**
                 * Format: uri
                 * @description Where to send the subject to complete the verification.
                 */
                verificationUrl: string;
                /** @description Time of resolution, UTC; null while unresolved. */
                resolvedAt: string | null;
                submittedData: components["schemas"]["SubmittedData"];
                /** @description The metadata sent at creation, unchanged; empty if none was sent. */
                metadata: {
                    [key: string]: unknown;
                };
                /** @description Present if it was sent at creation. */
                returnUrl?: string;
                /** @description Present if it was sent at creation. */
                locale?: string;
                /**
                 * @description Present if the stored data of this verification cannot be read: `submittedData` is empty then. `UNREADABLE`: the data is damaged. `UNAVAILABLE`: the server lacks the secret that sealed it; try again later.
                 * @enum {string}
                 */
                dataError?: "UNREADABLE" | "UNAVAILABLE";
            }[];
            pagination: {
                page: number;
                limit: number;
                /** @description Exact number of matching verifications. */
                totalCount: number;
                totalPages: number;
                /** @description Whether further pages follow. */
                hasMore: boolean;
            };
        };
        /** @description A verification with its steps, decision, documents, history and the state of its data. */
        VerificationDetails: {
            /** @description Identifier of the verification, assigned by the service: a UUID. */
            id: string;
            /**
             * @description The `subjectType` sent at creation.
             * @enum {string}
             */
            type: "kyc" | "kyb";
            /** @description The client's own identifier for the subject, as sent. */
            subjectReference: string;
            /** @enum {string} */
            status: "pending" | "submitted" | "action_needed" | "approved" | "rejected";
            /**
             * Format: date-time
             * @description Time of creation, UTC.
             */
            requestedAt: string;
            /** @description How many leading steps are complete; 0 at creation. */
            currentStep: number;
            /**
             * Format: uri
             * @description Where to send the subject to complete the verification.
             */
            verificationUrl: string;
            /** @description Time of resolution, UTC; null while unresolved. */
            resolvedAt: string | null;
            submittedData: components["schemas"]["SubmittedData"];
            /** @description The metadata sent at creation, unchanged; empty if none was sent. */
            metadata: {
                [key: string]: unknown;
            };
            /** @description Present if it was sent at creation. */
            returnUrl?: string;
            /** @description Present if it was sent at creation. */
            locale?: string;
            totalSteps: number;
            /** @description All steps, in their order. */
            steps: {
                /** @enum {string} */
                key: "consent" | "document" | "person" | "selfie" | "address" | "attestation" | "business" | "addresses" | "ownership" | "documents" | "representative";
                /**
                 * @description `action_needed`: a reviewer asked for the step again.
                 * @enum {string}
                 */
                status: "pending" | "completed" | "action_needed";
                /** @description When the current answers were given. */
                completedAt: string | null;
            }[];
            /** @description What a reviewer asked for; null in other states than `action_needed`. */
            actionNeeded: {
                message: string | null;
                items: {
                    /** @enum {string} */
                    step: "consent" | "document" | "person" | "selfie" | "address" | "attestation" | "business" | "addresses" | "ownership" | "documents" | "representative";
                    /** @enum {string} */
                    reasonCode: "document_unreadable" | "document_glare" | "document_cropped" | "document_expired" | "document_unsupported" | "back_missing" | "data_mismatch" | "selfie_unclear" | "selfie_mismatch" | "address_unproven" | "ownership_incomplete" | "suspected_fraud" | "withdrawn" | "expired" | "other";
                    /** @description The note that the subject sees. */
                    note: string | null;
                    /** @description The field to redo, as a path in the answers of the step. Absent for the whole step. */
                    field?: string;
                }[];
            } | null;
            /** @description The decision; null while unresolved. */
            decision: {
                /** @enum {string} */
                outcome: "approved" | "rejected";
                /** @description `withdrawn`: the client or the operator withdrew the verification. `expired`: it was not completed in time. */
                reasonCodes: ("document_unreadable" | "document_glare" | "document_cropped" | "document_expired" | "document_unsupported" | "back_missing" | "data_mismatch" | "selfie_unclear" | "selfie_mismatch" | "address_unproven" | "ownership_incomplete" | "suspected_fraud" | "withdrawn" | "expired" | "other")[];
                message: string | null;
                /** Format: date-time */
                decidedAt: string;
            } | null;
            /** @description The files of completed steps, as long as they are kept, without those that the subject replaced after a request for action. */
            documents: {
                id: string;
                step: string;
                /** @enum {string} */
                kind: "document_front" | "document_back" | "selfie" | "proof_of_address" | "registration_extract" | "articles" | "ownership_chart" | "authority";
                /** @enum {string} */
                contentType: "image/jpeg" | "image/png" | "image/webp" | "application/pdf";
                /** @description Size in bytes. */
                size: number;
                /** @description SHA-256 of the content, in hexadecimal. */
                sha256: string;
                /** Format: date-time */
                uploadedAt: string;
            }[];
            /** @description The changes of status, oldest first. */
            history: {
                /** @enum {string} */
                status: "pending" | "submitted" | "action_needed" | "approved" | "rejected";
                /** Format: date-time */
                at: string;
                /** @enum {string} */
                actor: "client" | "subject" | "reviewer" | "operator" | "system";
            }[];
            data: components["schemas"]["DataState"];
            /** @description Where answers come from for which a value was read from the document, by step and by its place in the answers of the step. Any other answer was typed. Absent if no document was read. Readings advise; they decide nothing. */
            origins?: {
                [key: string]: {
                    [key: string]: {
                        /**
                         * @description `read`: the value had been read from the document when the subject answered. `edited`: another value had been read. `typed`: none had been read, it is for reviewers only, or it cannot be compared.
                         * @enum {string}
                         */
                        origin: "read" | "edited" | "typed";
                        /** @description With `edited`: the value that was read. */
                        read?: string;
                    };
                };
            };
            /** @description Codes of the warnings that reviewers get about the last submission, each once. They decide nothing, and later versions may add codes. Do not show them to the subject. Absent unless the client switched them on, until they are computed, and once the data is hidden or erased. Codes: `under_age`, `date_too_early`, `document_expired`, `name_mismatch`, `date_mismatch`, `country_mismatch`, `phone_country_differs`, `national_id_does_not_fit`, `tax_id_does_not_fit`, `vat_number_does_not_fit`, `registration_number_does_not_fit`, `lei_does_not_fit`, `picture_blurred`, `picture_glare`, `pdf_script`, `pdf_attachment`, `pdf_form`, `pdf_launch`, `pdf_pages_left_out`, `same_file`, `same_picture`, `file_unchanged`, `reading_edited`, `reading_differs`, `reading_expired`, `reading_type_differs`, `reading_state_differs`, `readings_contradict`, `check_digits_wrong`, `mrz_missing`, `mrz_not_found`, `rejected_for_fraud`, `used_by_another_person`, `person_with_another_document`, `file_in_other_case`, `file_in_earlier_case`, `person_in_other_case`, `contact_in_other_case`, `earlier_verification`. */
            warnings?: string[];
        };
        /** @description The state of the data of a verification. */
        DataState: {
            /**
             * @description `kept`: it can be read. `restricted`: its erasure was requested; it is hidden, and erased once the law allows that. `held`: a hold prevents the erasure. `erased`: it is gone.
             * @enum {string}
             */
            state: "erased" | "held" | "restricted" | "kept";
            /** @description When it is erased; of a hold, when that ends. Null if this is not known yet, and once the data is erased. */
            until: string | null;
        };
        KycConsent: {
            /** @constant */
            accepted: true;
            version: string;
            locale: string;
            /** Format: date-time */
            acceptedAt: string;
        };
        KycDocument: SharedKycDocument;
        KycPerson: {
            /** @description Absent for a person with one name, which `lastName` holds. */
            firstName?: string;
            middleNames?: string;
            lastName: string;
            /** Format: date */
            dateOfBirth: string;
            /** @description Absent if the client did not ask for it. */
            placeOfBirth?: {
                city: string;
                /** @description ISO 3166-1 alpha-2 code. */
                country: string;
            };
            nationalities: string[];
            nationalIdNumber?: string;
            /**
             * Format: email
             * @description The hosted pages do not ask for it if `notify.email` was passed.
             */
            email?: string;
            phone?: string;
        };
        KycSelfie: {
            fileId: string;
        };
        KycAddress: {
            line1: string;
            line2?: string;
            postalCode?: string;
            city: string;
            region?: string;
            /** @description ISO 3166-1 alpha-2 code. */
            country: string;
            proofFileId?: string;
        };
        KycAttestation: {
            /** @constant */
            accepted: true;
        };
        KycSubmittedData: SharedKycSubmittedData;
        KycSubmittedDataV1: SharedKycSubmittedData;
        KybConsent: {
            /** @constant */
            accepted: true;
            version: string;
            locale: string;
            /** Format: date-time */
            acceptedAt: string;
            representative: {
                /** @description Absent for a person with one name, which `lastName` holds. */
                firstName?: string;
                lastName: string;
                role: string;
                /** Format: email */
                email: string;
                phone?: string;
            };
        };
        KybBusiness: {
            legalName: string;
            legalForm: string;
            tradingNames: string[];
            /** @description ISO 3166-1 alpha-2 code. */
            countryOfIncorporation: string;
            registrationNumber: string;
            /** Format: date */
            incorporatedOn?: string;
            taxId?: string;
            vatNumber?: string;
            /** @description Text that must be a Legal Entity Identifier (ISO 17442). */
            lei?: string;
            activity: string;
            /** Format: uri */
            website?: string;
        };
        KybAddresses: {
            registered: SharedRegistered;
            operating?: SharedRegistered;
        };
        KybOwnership: {
            directors: {
                /** @description Absent for a person with one name, which `lastName` holds. */
                firstName?: string;
                lastName: string;
                /** Format: date */
                dateOfBirth: string;
                /** @description ISO 3166-1 alpha-2 code. */
                nationality: string;
            }[];
            /** @constant */
            noBeneficialOwner?: true;
            beneficialOwners?: {
                /** @description Absent for a person with one name, which `lastName` holds. */
                firstName?: string;
                lastName: string;
                /** Format: date */
                dateOfBirth: string;
                /** @description ISO 3166-1 alpha-2 code. */
                nationality: string;
                /** @description ISO 3166-1 alpha-2 code. */
                country: string;
                ownershipPercent: number;
                /** @enum {string} */
                controlType: "direct_shares" | "indirect_shares" | "voting_rights" | "other";
            }[];
            seniorManagers?: {
                /** @description Absent for a person with one name, which `lastName` holds. */
                firstName?: string;
                lastName: string;
                /** Format: date */
                dateOfBirth: string;
                /** @description ISO 3166-1 alpha-2 code. */
                nationality: string;
            }[];
        };
        KybDocuments: {
            registrationExtractFileId: string;
            articlesFileId?: string;
            ownershipChartFileId?: string;
            proofOfAddressFileId?: string;
        };
        KybRepresentative: {
            document: SharedKycDocument;
            selfieFileId: string;
            authorityFileId?: string;
        };
        KybSubmittedData: SharedKybSubmittedData;
        KybSubmittedDataV1: SharedKybSubmittedData;
        /** @description The current answers, by step. `KycSubmittedData` and `KybSubmittedData` have the steps of one type each. */
        SubmittedData: {
            consent?: components["schemas"]["KybConsent"] | components["schemas"]["KycConsent"];
            document?: components["schemas"]["KycDocument"];
            person?: components["schemas"]["KycPerson"];
            selfie?: components["schemas"]["KycSelfie"];
            address?: components["schemas"]["KycAddress"];
            attestation?: components["schemas"]["KycAttestation"];
            business?: components["schemas"]["KybBusiness"];
            addresses?: components["schemas"]["KybAddresses"];
            ownership?: components["schemas"]["KybOwnership"];
            documents?: components["schemas"]["KybDocuments"];
            representative?: components["schemas"]["KybRepresentative"];
        };
        /** @description The body of a webhook. It has no personal data. */
        VerificationWebhook: {
            /** @enum {string} */
            type: "verification.created" | "verification.submitted" | "verification.action_needed" | "verification.approved" | "verification.rejected" | "verification.link_renewed" | "verification.data_restricted" | "verification.data_erased";
            /**
             * Format: date-time
             * @description Time of the event, UTC.
             */
            timestamp: string;
            data: {
                /** @description Read the verification by this id to learn more. */
                verificationId: string;
                /**
                 * @description The status after the change.
                 * @enum {string}
                 */
                status: "pending" | "submitted" | "action_needed" | "approved" | "rejected";
                /** @description Grows with each change of the verification. Ignore a webhook whose number is lower than one that was handled. */
                sequence: number;
                /** @description Why it was rejected, or which steps have to be redone; empty for other types. */
                reasonCodes: ("document_unreadable" | "document_glare" | "document_cropped" | "document_expired" | "document_unsupported" | "back_missing" | "data_mismatch" | "selfie_unclear" | "selfie_mismatch" | "address_unproven" | "ownership_incomplete" | "suspected_fraud" | "withdrawn" | "expired" | "other")[];
            };
        };
        /** @description The body of a test that a user sends from the dashboard or the command line. */
        TestWebhook: {
            /** @constant */
            type: "webhook.test";
            /**
             * Format: date-time
             * @description Time of the event, UTC.
             */
            timestamp: string;
            data: {
                endpointId: string;
            };
        };
        /** @description The body of any webhook. More types may come: ignore unknown ones. */
        Webhook: components["schemas"]["VerificationWebhook"] | components["schemas"]["TestWebhook"];
    };
    responses: {
        /** @description `NOT_FOUND`: Nothing exists at this path. */
        NotFound: {
            headers: SharedHeaders;
            content: {
                "application/json": {
                    /** @constant */
                    success: false;
                    error: string;
                    /** @enum {string} */
                    code: "NOT_FOUND";
                };
            };
        };
        /** @description `METHOD_NOT_ALLOWED`: The path does not support this method. `Allow` lists those it supports. */
        MethodNotAllowed: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                "X-Countersign-Mode": components["headers"]["X-Countersign-Mode"];
                "Cache-Control": components["headers"]["Cache-Control"];
                "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                Allow: components["headers"]["Allow"];
                [name: string]: unknown;
            };
            content: {
                "application/json": {
                    /** @constant */
                    success: false;
                    error: string;
                    /** @enum {string} */
                    code: "METHOD_NOT_ALLOWED";
                };
            };
        };
        /**
         * @description `BAD_REQUEST`: The request is not valid HTTP, or its body ended early.
         *
         *     `INVALID_PARAMETERS`: Another field of the body, the query or the path is invalid. `data.issues` lists what and why.
         */
        Response400: {
            headers: SharedHeaders;
            content: {
                "application/json": {
                    /** @constant */
                    success: false;
                    error: string;
                    /** @enum {string} */
                    code: "BAD_REQUEST";
                } | {
                    /** @constant */
                    success: false;
                    error: string;
                    /** @enum {string} */
                    code: "INVALID_PARAMETERS";
                    data: SharedData;
                };
            };
        };
        /**
         * @description `API_KEY_REQUIRED`: The request has no key in `X-API-Key`. If it has an `Authorization: Bearer` header, `data.hint` says where to send the key.
         *
         *     `INVALID_API_KEY`: The key is unknown, or does not work from this network address.
         *
         *     `API_KEY_EXPIRED`: The key has expired.
         *
         *     `API_KEY_REVOKED`: The key was revoked. It cannot be made valid again.
         */
        Response401: {
            headers: SharedHeaders;
            content: {
                "application/json": {
                    /** @constant */
                    success: false;
                    error: string;
                    /** @enum {string} */
                    code: "API_KEY_REQUIRED";
                    data?: {
                        /** @description How to send the request instead. */
                        hint: string;
                    };
                } | {
                    /** @constant */
                    success: false;
                    error: string;
                    /** @enum {string} */
                    code: "INVALID_API_KEY" | "API_KEY_EXPIRED" | "API_KEY_REVOKED";
                };
            };
        };
        /** @description `INSUFFICIENT_PERMISSIONS`: The key lacks the permission that the operation needs. */
        Response403: {
            headers: SharedHeaders;
            content: {
                "application/json": {
                    /** @constant */
                    success: false;
                    error: string;
                    /** @enum {string} */
                    code: "INSUFFICIENT_PERMISSIONS";
                };
            };
        };
        /** @description `REQUEST_TIMEOUT`: The request did not arrive in time. */
        Response408: {
            headers: SharedHeaders;
            content: {
                "application/json": {
                    /** @constant */
                    success: false;
                    error: string;
                    /** @enum {string} */
                    code: "REQUEST_TIMEOUT";
                };
            };
        };
        /** @description `RATE_LIMIT_EXCEEDED`: The requests of this window are used up. `Retry-After` says when the next window begins. */
        Response429: {
            headers: SharedHeaders_2;
            content: {
                "application/json": {
                    /** @constant */
                    success: false;
                    error: string;
                    /** @enum {string} */
                    code: "RATE_LIMIT_EXCEEDED";
                };
            };
        };
        /** @description `REQUEST_HEADER_FIELDS_TOO_LARGE`: The headers are too large. */
        Response431: {
            headers: SharedHeaders;
            content: {
                "application/json": {
                    /** @constant */
                    success: false;
                    error: string;
                    /** @enum {string} */
                    code: "REQUEST_HEADER_FIELDS_TOO_LARGE";
                };
            };
        };
        /** @description `INTERNAL_ERROR`: The service failed. `X-Request-Id` leads to the cause in its log. */
        Response500: {
            headers: SharedHeaders;
            content: {
                "application/json": {
                    /** @constant */
                    success: false;
                    error: string;
                    /** @enum {string} */
                    code: "INTERNAL_ERROR";
                };
            };
        };
        /** @description `SERVICE_UNAVAILABLE`: The service cannot answer now, for example because its database does not respond. `Retry-After` says when to try again. */
        Response503: {
            headers: SharedHeaders_2;
            content: {
                "application/json": {
                    /** @constant */
                    success: false;
                    error: string;
                    /** @enum {string} */
                    code: "SERVICE_UNAVAILABLE";
                };
            };
        };
        /** @description `PAYLOAD_TOO_LARGE`: The body is larger than 65536 bytes. */
        Response413: {
            headers: SharedHeaders;
            content: {
                "application/json": {
                    /** @constant */
                    success: false;
                    error: string;
                    /** @enum {string} */
                    code: "PAYLOAD_TOO_LARGE";
                };
            };
        };
        /** @description `UNSUPPORTED_MEDIA_TYPE`: The body is not declared as `application/json` in UTF-8, or it is compressed. */
        Response415: {
            headers: SharedHeaders;
            content: {
                "application/json": {
                    /** @constant */
                    success: false;
                    error: string;
                    /** @enum {string} */
                    code: "UNSUPPORTED_MEDIA_TYPE";
                };
            };
        };
        /** @description `VERIFICATION_NOT_FOUND`: The client has no verification with this id. */
        Response404: {
            headers: SharedHeaders;
            content: {
                "application/json": {
                    /** @constant */
                    success: false;
                    error: string;
                    /** @enum {string} */
                    code: "VERIFICATION_NOT_FOUND";
                };
            };
        };
        /**
         * @description `INSUFFICIENT_PERMISSIONS`: The key lacks the permission that the operation needs.
         *
         *     `FILES_SWITCHED_OFF`: No owner of the client’s team has switched on access to files.
         */
        Response403Variant2: {
            headers: SharedHeaders;
            content: {
                "application/json": {
                    /** @constant */
                    success: false;
                    error: string;
                    /** @enum {string} */
                    code: "INSUFFICIENT_PERMISSIONS" | "FILES_SWITCHED_OFF";
                };
            };
        };
        /** @description `ILLEGAL_TRANSITION`: The verification has a status from which this is not possible. `data.status` names it. */
        Response409: {
            headers: SharedHeaders;
            content: {
                "application/json": {
                    /** @constant */
                    success: false;
                    error: string;
                    /** @enum {string} */
                    code: "ILLEGAL_TRANSITION";
                    data: {
                        /** @enum {string} */
                        status: "pending" | "submitted" | "action_needed" | "approved" | "rejected";
                    };
                };
            };
        };
        /**
         * @description `RATE_LIMIT_EXCEEDED`: The requests of this window are used up. `Retry-After` says when the next window begins.
         *
         *     `TOO_MANY_DOWNLOADS`: The client downloads 4 files or exports at this moment, or the service has as many downloads as it runs at once.
         */
        Response429Variant2: {
            headers: SharedHeaders_2;
            content: {
                "application/json": {
                    /** @constant */
                    success: false;
                    error: string;
                    /** @enum {string} */
                    code: "RATE_LIMIT_EXCEEDED" | "TOO_MANY_DOWNLOADS";
                };
            };
        };
        /**
         * @description `BAD_REQUEST`: The request is not valid HTTP, or its body ended early.
         *
         *     `INVALID_PARAMETERS`: Another field of the body, the query or the path is invalid. `data.issues` lists what and why.
         *
         *     `INVALID_JSON`: The body is empty, not UTF-8, not JSON or not an object, or an object in it has a key twice.
         */
        Response400Variant2: {
            headers: SharedHeaders;
            content: {
                "application/json": {
                    /** @constant */
                    success: false;
                    error: string;
                    /** @enum {string} */
                    code: "BAD_REQUEST" | "INVALID_JSON";
                } | {
                    /** @constant */
                    success: false;
                    error: string;
                    /** @enum {string} */
                    code: "INVALID_PARAMETERS";
                    data: SharedData;
                };
            };
        };
        /**
         * @description `ILLEGAL_TRANSITION`: The verification has a status from which this is not possible. `data.status` names it.
         *
         *     `VERSION_CONFLICT`: The verification was changed again and again at the same time. Nothing was changed by this request.
         */
        Response409Variant2: {
            headers: SharedHeaders;
            content: {
                "application/json": {
                    /** @constant */
                    success: false;
                    error: string;
                    /** @enum {string} */
                    code: "ILLEGAL_TRANSITION";
                    data: {
                        /** @enum {string} */
                        status: "pending" | "submitted" | "action_needed" | "approved" | "rejected";
                    };
                } | {
                    /** @constant */
                    success: false;
                    error: string;
                    /** @enum {string} */
                    code: "VERSION_CONFLICT";
                };
            };
        };
        /** @description The endpoint wants no more webhooks. It is disabled. */
        Response410: SharedResponse410;
        /** @description The webhook is received. */
        Response2XX: SharedResponse410;
        /** @description The webhook is sent again, up to 7 times. */
        ResponseDefault: SharedResponse410;
    };
    parameters: never;
    requestBodies: never;
    headers: {
        /**
         * @description Identifies this request in the logs of the service. Always made by the service.
         * @example 01993d4c-5a80-7cc5-b4b4-3c1f0ae1a601
         */
        "X-Request-Id": string;
        /**
         * @description Requests allowed in the window of one minute.
         * @example 100
         */
        "X-RateLimit-Limit": number;
        /**
         * @description Requests left in the window.
         * @example 99
         */
        "X-RateLimit-Remaining": number;
        /**
         * @description End of the window: Unix time in seconds.
         * @example 1767225660
         */
        "X-RateLimit-Reset": number;
        /**
         * @description The mode of the API key. Present in every response to a request with a valid key, errors included. Data of test mode is for tests only.
         * @example test
         */
        "X-Countersign-Mode": "live" | "test";
        /**
         * @description Responses must not be stored.
         * @example no-store
         */
        "Cache-Control": "no-store";
        /**
         * @description The response must not be treated as another type than `Content-Type` says.
         * @example nosniff
         */
        "X-Content-Type-Options": "nosniff";
        /**
         * @description Seconds to wait before a retry.
         * @example 42
         */
        "Retry-After": number;
        /**
         * @description The methods that this path supports.
         * @example GET, HEAD, POST
         */
        Allow: string;
        /**
         * @description The new verification, relative to the URL of the request.
         * @example verifications/01993d4c-5a80-7cc5-b4b4-3c1f0ae1a602
         */
        Location: string;
        /**
         * @description Present when an earlier request with the same `Idempotency-Key` created the verification.
         * @example true
         */
        "Idempotent-Replayed": "true";
        /**
         * @description Size of the file in bytes.
         * @example 248113
         */
        "Content-Length": number;
        /**
         * @description A plain name to save the file under.
         * @example attachment; filename="document_front.jpg"
         */
        "Content-Disposition": string;
        /**
         * @description A browser runs nothing in the file.
         * @example sandbox; default-src 'none'
         */
        "Content-Security-Policy": "sandbox; default-src 'none'";
        /**
         * @description The response is compressed if the request accepts it.
         * @example Accept-Encoding
         */
        Vary: "Accept-Encoding";
        /**
         * @description Present when the response is compressed.
         * @example br
         */
        "Content-Encoding": "br" | "gzip";
    };
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    listVerifications: {
        parameters: {
            query?: {
                /**
                 * @description Page number, from 1.
                 * @example 1
                 */
                page?: number;
                /**
                 * @description Page size.
                 * @example 20
                 */
                limit?: number;
                /**
                 * @description Only verifications in this state.
                 * @example pending
                 */
                status?: "pending" | "submitted" | "action_needed" | "approved" | "rejected";
                /**
                 * @description Only individuals, or only businesses.
                 * @example kyc
                 */
                type?: "kyc" | "kyb";
                /**
                 * @description Only the subject with exactly this reference, case included.
                 * @example user_1
                 */
                subjectReference?: string;
                /**
                 * @description What to sort by. Nulls come last in both directions; ties are broken by `requestedAt`, then by `id`, in the same direction.
                 * @example requestedAt
                 */
                sortBy?: "requestedAt" | "resolvedAt" | "status" | "type" | "subjectReference" | "currentStep";
                /**
                 * @description Ascending or descending.
                 * @example desc
                 */
                sortOrder?: "asc" | "desc";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One page. */
            200: {
                headers: SharedHeaders;
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        data: components["schemas"]["VerificationPage"];
                    };
                };
            };
            400: components["responses"]["Response400"];
            401: components["responses"]["Response401"];
            403: components["responses"]["Response403"];
            408: components["responses"]["Response408"];
            429: components["responses"]["Response429"];
            431: components["responses"]["Response431"];
            500: components["responses"]["Response500"];
            503: components["responses"]["Response503"];
        };
    };
    createVerification: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Makes a request safe to repeat: the same key with the same body gets the first answer again and counts nothing.
                 * @example b7a3c1de-2f64-4f0e-9d0c-5a4f7f0f3f11
                 */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        /** @description At most 65536 bytes of JSON in UTF-8. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewVerification"];
            };
        };
        responses: {
            /** @description Created now, or earlier with the same `Idempotency-Key`. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Countersign-Mode": components["headers"]["X-Countersign-Mode"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    Location: components["headers"]["Location"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        data: components["schemas"]["CreatedVerification"];
                        message: string;
                    };
                };
            };
            /**
             * @description `BAD_REQUEST`: The request is not valid HTTP, or its body ended early.
             *
             *     `INVALID_PARAMETERS`: Another field of the body, the query or the path is invalid. `data.issues` lists what and why.
             *
             *     `INVALID_JSON`: The body is empty, not UTF-8, not JSON or not an object, or an object in it has a key twice.
             *
             *     `INVALID_SUBJECT_TYPE`: `subjectType` is missing or is not one of `kyc`, `kyb`.
             *
             *     `MISSING_SUBJECT_REFERENCE`: `subjectReference` is absent, null or empty.
             */
            400: {
                headers: SharedHeaders;
                content: {
                    "application/json": {
                        /** @constant */
                        success: false;
                        error: string;
                        /** @enum {string} */
                        code: "BAD_REQUEST" | "INVALID_JSON";
                    } | {
                        /** @constant */
                        success: false;
                        error: string;
                        /** @enum {string} */
                        code: "INVALID_PARAMETERS" | "INVALID_SUBJECT_TYPE" | "MISSING_SUBJECT_REFERENCE";
                        data: SharedData;
                    };
                };
            };
            401: components["responses"]["Response401"];
            /**
             * @description `INSUFFICIENT_PERMISSIONS`: The key lacks the permission that the operation needs.
             *
             *     `NO_ACTIVE_SUBSCRIPTION`: The client has no active subscription.
             *
             *     `LIMIT_EXCEEDED`: The verifications of this calendar month (UTC) are used up.
             */
            403: {
                headers: SharedHeaders;
                content: {
                    "application/json": {
                        /** @constant */
                        success: false;
                        error: string;
                        /** @enum {string} */
                        code: "INSUFFICIENT_PERMISSIONS" | "NO_ACTIVE_SUBSCRIPTION" | "LIMIT_EXCEEDED";
                    };
                };
            };
            408: components["responses"]["Response408"];
            /** @description `DUPLICATE_SUBJECT_REFERENCE`: An active verification (pending, submitted or action_needed) exists for this subject. `data` names it and its status. */
            409: {
                headers: SharedHeaders;
                content: {
                    "application/json": {
                        /** @constant */
                        success: false;
                        error: string;
                        /** @enum {string} */
                        code: "DUPLICATE_SUBJECT_REFERENCE";
                        data: {
                            verificationId: string;
                            /** @enum {string} */
                            status: "pending" | "submitted" | "action_needed" | "approved" | "rejected";
                        };
                    };
                };
            };
            413: components["responses"]["Response413"];
            415: components["responses"]["Response415"];
            /** @description `IDEMPOTENCY_KEY_REUSED`: The same `Idempotency-Key` was sent with another body before. */
            422: {
                headers: SharedHeaders;
                content: {
                    "application/json": {
                        /** @constant */
                        success: false;
                        error: string;
                        /** @enum {string} */
                        code: "IDEMPOTENCY_KEY_REUSED";
                    };
                };
            };
            429: components["responses"]["Response429"];
            431: components["responses"]["Response431"];
            500: components["responses"]["Response500"];
            503: components["responses"]["Response503"];
        };
    };
    getVerification: {
        parameters: SharedParameters_2;
        requestBody?: never;
        responses: {
            /** @description The verification. */
            200: {
                headers: SharedHeaders;
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        data: components["schemas"]["Verification"];
                    };
                };
            };
            400: components["responses"]["Response400"];
            401: components["responses"]["Response401"];
            403: components["responses"]["Response403"];
            404: components["responses"]["Response404"];
            408: components["responses"]["Response408"];
            429: components["responses"]["Response429"];
            431: components["responses"]["Response431"];
            500: components["responses"]["Response500"];
            503: components["responses"]["Response503"];
        };
    };
    getVerificationDetails: {
        parameters: SharedParameters_2;
        requestBody?: never;
        responses: {
            /** @description The full details. */
            200: {
                headers: SharedHeaders;
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        data: components["schemas"]["VerificationDetails"];
                    };
                };
            };
            400: components["responses"]["Response400"];
            401: components["responses"]["Response401"];
            403: components["responses"]["Response403"];
            404: components["responses"]["Response404"];
            408: components["responses"]["Response408"];
            429: components["responses"]["Response429"];
            431: components["responses"]["Response431"];
            500: components["responses"]["Response500"];
            503: components["responses"]["Response503"];
        };
    };
    getVerificationFile: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Identifier of the verification.
                 * @example 01993d4c-5a80-7cc5-b4b4-3c1f0ae1a602
                 */
                id: string;
                /**
                 * @description Identifier of the file: `id` in `documents` of the details.
                 * @example 01993d4c-5a80-7cc5-b4b4-3c1f0ae1a610
                 */
                fileId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The content of the file. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Countersign-Mode": components["headers"]["X-Countersign-Mode"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "Content-Disposition": components["headers"]["Content-Disposition"];
                    "Content-Security-Policy": components["headers"]["Content-Security-Policy"];
                    "Content-Length": components["headers"]["Content-Length"];
                    [name: string]: unknown;
                };
                content: {
                    "image/jpeg": string;
                    "image/png": string;
                    "image/webp": string;
                    "application/pdf": string;
                };
            };
            400: components["responses"]["Response400"];
            401: components["responses"]["Response401"];
            403: components["responses"]["Response403Variant2"];
            /**
             * @description `VERIFICATION_NOT_FOUND`: The client has no verification with this id.
             *
             *     `FILE_NOT_FOUND`: The verification has no file with this id, or the content of the file is missing.
             */
            404: {
                headers: SharedHeaders;
                content: {
                    "application/json": {
                        /** @constant */
                        success: false;
                        error: string;
                        /** @enum {string} */
                        code: "VERIFICATION_NOT_FOUND" | "FILE_NOT_FOUND";
                    };
                };
            };
            408: components["responses"]["Response408"];
            409: components["responses"]["Response409"];
            429: components["responses"]["Response429Variant2"];
            431: components["responses"]["Response431"];
            500: components["responses"]["Response500"];
            503: components["responses"]["Response503"];
        };
    };
    exportVerification: {
        parameters: SharedParameters_2;
        requestBody?: never;
        responses: {
            /** @description The zip. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Countersign-Mode": components["headers"]["X-Countersign-Mode"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "Content-Disposition": components["headers"]["Content-Disposition"];
                    "Content-Security-Policy": components["headers"]["Content-Security-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/zip": string;
                };
            };
            400: components["responses"]["Response400"];
            401: components["responses"]["Response401"];
            403: components["responses"]["Response403Variant2"];
            404: components["responses"]["Response404"];
            408: components["responses"]["Response408"];
            409: components["responses"]["Response409"];
            429: components["responses"]["Response429Variant2"];
            431: components["responses"]["Response431"];
            500: components["responses"]["Response500"];
            503: components["responses"]["Response503"];
        };
    };
    withdrawVerification: {
        parameters: SharedParameters_2;
        /** @description No body, an empty JSON object, or `null`. */
        requestBody?: {
            content: {
                "application/json": Record<string, never>;
            };
        };
        responses: {
            /** @description Withdrawn, now or earlier. */
            200: {
                headers: SharedHeaders;
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        data: components["schemas"]["Verification"];
                        message: string;
                    };
                };
            };
            400: components["responses"]["Response400Variant2"];
            401: components["responses"]["Response401"];
            403: components["responses"]["Response403"];
            404: components["responses"]["Response404"];
            408: components["responses"]["Response408"];
            409: components["responses"]["Response409Variant2"];
            413: components["responses"]["Response413"];
            415: components["responses"]["Response415"];
            429: components["responses"]["Response429"];
            431: components["responses"]["Response431"];
            500: components["responses"]["Response500"];
            503: components["responses"]["Response503"];
        };
    };
    endRelationship: {
        parameters: SharedParameters_2;
        requestBody: {
            content: {
                "application/json": components["schemas"]["RelationshipEnd"];
            };
        };
        responses: {
            /** @description The state of the data now. */
            200: Shared200;
            400: components["responses"]["Response400Variant2"];
            401: components["responses"]["Response401"];
            403: components["responses"]["Response403"];
            404: components["responses"]["Response404"];
            408: components["responses"]["Response408"];
            /**
             * @description `ILLEGAL_TRANSITION`: The verification has a status from which this is not possible. `data.status` names it.
             *
             *     `VERSION_CONFLICT`: The verification was changed again and again at the same time. Nothing was changed by this request.
             *
             *     `EVENT_LIMIT_REACHED`: The verification was changed too often, so this change is no longer possible.
             */
            409: {
                headers: SharedHeaders;
                content: {
                    "application/json": {
                        /** @constant */
                        success: false;
                        error: string;
                        /** @enum {string} */
                        code: "ILLEGAL_TRANSITION";
                        data: {
                            /** @enum {string} */
                            status: "pending" | "submitted" | "action_needed" | "approved" | "rejected";
                        };
                    } | {
                        /** @constant */
                        success: false;
                        error: string;
                        /** @enum {string} */
                        code: "VERSION_CONFLICT" | "EVENT_LIMIT_REACHED";
                    };
                };
            };
            413: components["responses"]["Response413"];
            415: components["responses"]["Response415"];
            429: components["responses"]["Response429"];
            431: components["responses"]["Response431"];
            500: components["responses"]["Response500"];
            503: components["responses"]["Response503"];
        };
    };
    eraseVerificationData: {
        parameters: {
            query?: {
                /**
                 * @description Whether to withdraw the verification first if it is `pending` or `action_needed`. Without it, an open verification is refused.
                 * @example true
                 */
                withdraw?: boolean;
            };
            header?: never;
            path: SharedPath;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The data is erased, or its erasure is requested. */
            200: Shared200;
            400: components["responses"]["Response400"];
            401: components["responses"]["Response401"];
            403: components["responses"]["Response403"];
            404: components["responses"]["Response404"];
            408: components["responses"]["Response408"];
            409: components["responses"]["Response409Variant2"];
            429: components["responses"]["Response429"];
            431: components["responses"]["Response431"];
            500: components["responses"]["Response500"];
            503: components["responses"]["Response503"];
        };
    };
    getOpenApiDocument: {
        parameters: SharedParameters;
        requestBody?: never;
        responses: {
            /** @description An OpenAPI 3.1 document. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Countersign-Mode": components["headers"]["X-Countersign-Mode"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    Vary: components["headers"]["Vary"];
                    "Content-Encoding": components["headers"]["Content-Encoding"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        openapi: "3.1.1";
                    };
                };
            };
            400: components["responses"]["Response400"];
            408: components["responses"]["Response408"];
            429: components["responses"]["Response429"];
            431: components["responses"]["Response431"];
            500: components["responses"]["Response500"];
        };
    };
    "verification.created": {
        parameters: SharedParameters_3;
        requestBody: SharedRequestBody;
        responses: SharedResponses;
    };
    "verification.submitted": {
        parameters: SharedParameters_3;
        requestBody: SharedRequestBody;
        responses: SharedResponses;
    };
    "verification.action_needed": {
        parameters: SharedParameters_3;
        requestBody: SharedRequestBody;
        responses: SharedResponses;
    };
    "verification.approved": {
        parameters: SharedParameters_3;
        requestBody: SharedRequestBody;
        responses: SharedResponses;
    };
    "verification.rejected": {
        parameters: SharedParameters_3;
        requestBody: SharedRequestBody;
        responses: SharedResponses;
    };
    "verification.link_renewed": {
        parameters: SharedParameters_3;
        requestBody: SharedRequestBody;
        responses: SharedResponses;
    };
    "verification.data_restricted": {
        parameters: SharedParameters_3;
        requestBody: SharedRequestBody;
        responses: SharedResponses;
    };
    "verification.data_erased": {
        parameters: SharedParameters_3;
        requestBody: SharedRequestBody;
        responses: SharedResponses;
    };
    "webhook.test": {
        parameters: SharedParameters_3;
        requestBody: {
            content: {
                "application/json": components["schemas"]["TestWebhook"];
            };
        };
        responses: {
            /** @description The test is received. */
            "2XX": SharedResponse410;
            /** @description The test failed. It is not sent again. */
            default: SharedResponse410;
        };
    };
}

type SharedParameters = {
    query?: never;
    header?: never;
    path?: never;
    cookie?: never;
};
type SharedKycDocument = {
    /** @enum {string} */
    type: "passport" | "id_card" | "driving_licence" | "residence_permit";
    /** @description ISO 3166-1 alpha-2 code. */
    issuingCountry: string;
    number: string;
    /**
     * Format: date
     * @description Absent for a document without an expiry date. A passport has one.
     */
    expiresOn?: string;
    frontFileId: string;
    backFileId?: string;
};
type SharedKycSubmittedData = {
    consent?: components["schemas"]["KycConsent"];
    document?: components["schemas"]["KycDocument"];
    person?: components["schemas"]["KycPerson"];
    selfie?: components["schemas"]["KycSelfie"];
    address?: components["schemas"]["KycAddress"];
    attestation?: components["schemas"]["KycAttestation"];
};
type SharedRegistered = {
    line1: string;
    line2?: string;
    postalCode?: string;
    city: string;
    region?: string;
    /** @description ISO 3166-1 alpha-2 code. */
    country: string;
};
type SharedKybSubmittedData = {
    consent?: components["schemas"]["KybConsent"];
    business?: components["schemas"]["KybBusiness"];
    addresses?: components["schemas"]["KybAddresses"];
    ownership?: components["schemas"]["KybOwnership"];
    documents?: components["schemas"]["KybDocuments"];
    representative?: components["schemas"]["KybRepresentative"];
    attestation?: components["schemas"]["KycAttestation"];
};
type SharedHeaders = {
    "X-Request-Id": components["headers"]["X-Request-Id"];
    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
    "X-Countersign-Mode": components["headers"]["X-Countersign-Mode"];
    "Cache-Control": components["headers"]["Cache-Control"];
    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
    [name: string]: unknown;
};
type SharedData = {
    issues: {
        /** @description The field, such as `metadata.a.0`, or the name of a parameter; empty for the whole body. */
        path: string;
        /** @description What is wrong with it, to be read after its name. */
        message: string;
    }[];
};
type SharedHeaders_2 = {
    "X-Request-Id": components["headers"]["X-Request-Id"];
    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
    "X-Countersign-Mode": components["headers"]["X-Countersign-Mode"];
    "Cache-Control": components["headers"]["Cache-Control"];
    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
    "Retry-After": components["headers"]["Retry-After"];
    [name: string]: unknown;
};
type SharedResponse410 = {
    headers: {
        [name: string]: unknown;
    };
    content?: never;
};
type SharedPath = {
    /**
     * @description Identifier of the verification.
     * @example 01993d4c-5a80-7cc5-b4b4-3c1f0ae1a602
     */
    id: string;
};
type SharedParameters_2 = {
    query?: never;
    header?: never;
    path: SharedPath;
    cookie?: never;
};
type SharedContent = {
    "application/json": {
        /** @constant */
        success: true;
        data: components["schemas"]["DataState"];
    };
};
type Shared200 = {
    headers: SharedHeaders;
    content: SharedContent;
};
type SharedHeader = {
    /**
     * @description Id of the event, the same for each attempt: use it to handle an event once.
     * @example 01993d4c-5a80-7cc5-b4b4-3c1f0ae1a604
     */
    "webhook-id": string;
    /**
     * @description When this attempt was sent: Unix time in seconds.
     * @example 1772359200
     */
    "webhook-timestamp": string;
    /**
     * @description Standard Webhooks: `v1,` and the base64 of an HMAC-SHA256, one for each secret, separated by spaces.
     * @example v1,W83WgPsj6KXxPIkyEE2ln+sKL363gpSJpyb34rWQY5g=
     */
    "webhook-signature": string;
};
type SharedParameters_3 = {
    query?: never;
    header: SharedHeader;
    path?: never;
    cookie?: never;
};
type SharedRequestBody = {
    content: {
        "application/json": components["schemas"]["VerificationWebhook"];
    };
};
type SharedResponses = {
    410: components["responses"]["Response410"];
    "2XX": components["responses"]["Response2XX"];
    default: components["responses"]["ResponseDefault"];
};
