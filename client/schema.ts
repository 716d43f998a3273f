// Made by `npm run client:types` from lib/http/openapi.ts.

export interface paths {
    "/oauth2/token": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Get an access token
         * @description The client credentials grant of OAuth 2.0 (RFC 6749, section 4.4). Send the credentials either by Basic authentication, with both parts form-encoded, or in the body. A client that has keys sends an assertion instead (`private_key_jwt`, RFC 7523). Never put credentials into the URL: if the query string contains a correct secret, the client is revoked at once and permanently. Keep a token until it expires, and do not assume its lifetime.
         */
        post: operations["createToken"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/contacts": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List and search contacts
         * @description Sorting ignores case. Unset values come last in both directions, and equal values are sorted by id. To read the next page, send `next_cursor` as `cursor`: every page costs the same. `offset` also reads the contacts that it skips. The list can be behind writes by a moment. Searching and sorting by a field read all contacts of the team: a client that does this too often within a minute gets a 429.
         */
        get: operations["listContacts"];
        put?: never;
        /**
         * Create or update contacts
         * @description Send one contact, or up to 500 in `contacts`. A new `unique_id` creates a contact, an existing one updates it. If `unique_id` is absent, `email` is used as the `unique_id`. A contact with neither is invalid. If one contact of a batch is invalid, nothing is stored. If a `unique_id` is in a batch twice, both are applied in order and the contact is listed once. The request is safe to retry.
         */
        post: operations["upsertContacts"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/contacts/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a contact
         * @description Returns a contact by its system id. Sees every acknowledged write.
         */
        get: operations["getContact"];
        /**
         * Update a contact
         * @description PUT and PATCH do the same: they set the fields that are sent. `unique_id` cannot be changed. With `If-Match`, nothing is stored if the contact has changed since you read that entity tag.
         */
        put: operations["updateContact"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Update a contact
         * @description PUT and PATCH do the same: they set the fields that are sent. `unique_id` cannot be changed. With `If-Match`, nothing is stored if the contact has changed since you read that entity tag.
         */
        patch: operations["updateContactByPatch"];
        trace?: never;
    };
    "/v1/contacts/{contact_id}/accounts": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List a contact's accounts
         * @description Returns an entry for each account that is linked to the contact. Other attributes of accounts are only used for targeting and personalization, and are not returned.
         */
        get: operations["listContactAccounts"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/batches": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List batches, or get the status of one
         * @description Lists the team's batches, newest first. With `batch_id` it returns the same as `GET /v1/batches/{batch_id}`. Use it for ids that cannot be in a path, such as `..`.
         */
        get: operations["findBatch"];
        put?: never;
        /**
         * Import accounts
         * @description Accepts up to 10,000 account records and applies them in the background, after every earlier batch of the team. `batch_id` and `chunk_index` together are an idempotency key for at most 500 records: a repeated request with an accepted pair is ignored, so you can retry after a timeout or a 5xx. Use a different `chunk_index` for each set of records. If a record is invalid, the whole request is rejected and you can send the corrected request with the same pair. To send many contacts, use `POST /v1/contacts`.
         */
        post: operations["createBatch"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/batches/{batch_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the status of a batch
         * @description Returns the progress of the chunks and the results of their records. Repeat the request while `status` is `processing`. A chunk that is accepted later makes the status `processing` again.
         */
        get: operations["getBatch"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/templates/{template_id}/journeys": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Start a journey for a contact
         * @description Creates or updates the contact as `POST /v1/contacts` does. To use an existing contact unchanged, send only its `id`. There is one journey for each contact and template. If it exists, the request updates its name, owner and source if they are sent. The request is safe to retry.
         */
        post: operations["createJourney"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/templates/{template_id}/journeys/{journey_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Confirm that a journey is completed
         * @description `true` sets `completion_verified_at`. A repeated confirmation keeps the first time. `false` changes nothing.
         */
        put: operations["confirmJourney"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/journeys": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List a contact's journeys
         * @description Returns journeys with their contact, template and progress. The contact has `meta_private` if the token has the scope `contacts:private`.
         */
        get: operations["listJourneys"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/journeys/{journey_id}/responses": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List a journey's responses
         * @description Returns the answers to agreements, signatures and surveys: the text of the block, the answer, the time, and if the person had proved their identity. A later answer adds an entry. Entries never change.
         */
        get: operations["listResponses"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/j/{slug}/actions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Record an action on a page of a journey
         * @description Called by the journey page itself. Anyone who knows the slug can call it. Each type counts once for each page. A later view only updates `last_viewed`. Only a page with the condition `view`, `confirm` or `action` can be completed here, and only if the journey page would show it. If the page needs a proof of identity, the request needs the cookie of `POST /j/{slug}/identity`.
         */
        post: operations["recordAction"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/j/{slug}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Show a journey to its contact
         * @description The page behind `web_client_url`. Anyone who knows the slug can open it. It shows the first page that is not completed, or the page that `page` names. A request alone is not a view: the page reports views itself. `meta_private`, and all pages of a template with `is_auth_required`, are shown only to a browser with the cookie of `POST /j/{slug}/identity`. Without the cookie the page asks the person to prove their identity.
         */
        get: operations["showJourney"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/templates": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List templates (campaigns)
         * @description Returns the templates by `targeting_order`, then by name. Includes archived templates.
         */
        get: operations["listTemplates"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/templates/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a template
         * @description Returns the template. On request, also says if it has survey content blocks.
         */
        get: operations["getTemplate"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/templates/{id}/template_messages": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the messages of a template
         * @description Returns the messages by `order`, under the key `templates`.
         */
        get: operations["listTemplateMessages"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/templates/{id}/template_pages": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the pages of a template
         * @description Returns the pages by `order`, as an array.
         */
        get: operations["listTemplatePages"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/objectives": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List objectives
         * @description Returns the team's objectives and the global ones, by `key`. A contact field with that name completes the objective.
         */
        get: operations["listObjectives"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/engagement-channels": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List engagement channels
         * @description Returns the places outside the service that embed content, by name.
         */
        get: operations["listEngagementChannels"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/engagement-channels/{channel_id}/content-containers/search": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Find the content of a channel for one contact
         * @description Send exactly one query parameter: a field of a contact, or a key of its metadata, with the value to match. Values must be equal. Phone numbers are normalized first. Booleans and numbers match their JSON text. If no contact matches, or several do, or the channel has no content for the contact, the response has the default content of the channel. A lookup by a field without an index reads all contacts of the team: a client that does this too often within a minute gets a 429.
         */
        get: operations["searchContentContainers"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/c/{channel_id}/{reference}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Show the content of a channel
         * @description The page behind the `url` that the search returns. Show it in a frame with the size of the channel. It can contain fields of the contact and `meta_public`, but never `meta_private`. If the content no longer exists or is no longer for the contact, the page shows the default content of the channel. A request alone is not a view: the page reports views itself.
         */
        get: operations["showChannelContent"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/openapi.json": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get this OpenAPI document
         * @description The document is generated from the list of endpoints and the schemas that validate requests.
         */
        get: operations["getOpenapi"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/.well-known/oauth-authorization-server": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the metadata of the authorization server
         * @description For OAuth clients that configure themselves from it.
         */
        get: operations["getOauthMetadata"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/.well-known/jwks.json": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the public keys of access tokens
         * @description For systems that verify access tokens themselves. Clients of this API do not need the keys.
         */
        get: operations["getJwks"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        /** @description The fields of an account that the API returns */
        Account: {
            /**
             * Format: uuid
             * @description Account id
             */
            id: string;
            /** @description Account nickname */
            nickname: string | null;
            /** @description Public metadata. Nested keys are joined by dots */
            meta_public: components["schemas"]["FlattenedMetadata"] | null;
            /** @description The product of the account */
            product: components["schemas"]["Product"];
        };
        /** @description The contact of an account */
        AccountHolder: {
            /** @description `unique_id` of the contact to link */
            unique_id?: string | null;
            /** @description Contact's role on the account, for example primary or joint */
            role?: string | null;
        };
        /** @description An account and the contact to link it to. A record with only `account_number` and `contact` is a mapping: it links the two even if they are created later. Dotted keys (`"contact.unique_id"`) mean the same as nested ones. */
        AccountInput: {
            /** @description Unique id of the account, not blank, at most 512 bytes of UTF-8 */
            account_number: string;
            /** @description Contact to link. Without one, most features of the account cannot be used until a later batch links a contact */
            contact?: components["schemas"]["AccountHolder"] | null;
            /** @description Used only if its `code` is new. An existing product is not changed */
            product?: components["schemas"]["ProductInput"];
            /** @description Account number as on a check MICR line */
            micr?: string | null;
            /** @description Used by the direct deposit widget before the team's routing number */
            routing_number?: string | null;
            /**
             * @description Date of opening
             * @example 2024-02-29
             * @example 2024-02-29T13:45:00Z
             */
            opened_date?: string | null;
            /**
             * @description Date of closing
             * @example 2024-02-29
             * @example 2024-02-29T13:45:00Z
             */
            closed_date?: string | null;
            /** @description Account nickname */
            nickname?: string | null;
            /** @description Balance */
            balance?: (number | string) | null;
            /** @description Count of transactions in the last 30 days */
            number_transactions_last_30_days?: number | null;
            /** @description Sum of transactions in the last 30 days */
            total_amount_last_30_days?: (number | string) | null;
            /** @description Status code */
            status_code?: string | null;
            /** @description Adverse status code(s) */
            adverse_status?: string | null;
            /** @description Channel through which it was opened */
            channel_opened?: string | null;
            /** @description Reason for closing */
            closed_reason?: string | null;
            /**
             * @description Activation date of the card
             * @example 2024-02-29
             * @example 2024-02-29T13:45:00Z
             */
            credit_card_activation?: string | null;
            /**
             * @description Date of latest mobile pay transaction
             * @example 2024-02-29
             * @example 2024-02-29T13:45:00Z
             */
            last_mobile_pay_transaction?: string | null;
            /** @description Balance on the latest statement */
            last_statement_balance?: (number | string) | null;
            /** @description Amount of latest transaction */
            last_transaction_amount?: (number | string) | null;
            /**
             * @description Date of latest transaction
             * @example 2024-02-29
             * @example 2024-02-29T13:45:00Z
             */
            last_transaction_date?: string | null;
            /** @description APY */
            apy?: (number | string) | null;
            /** @description Charge-off code */
            charge_off?: string | null;
            /**
             * @description Next payment due
             * @example 2024-02-29
             * @example 2024-02-29T13:45:00Z
             */
            payment_due_date?: string | null;
            /**
             * @description Latest in-person check deposit
             * @example 2024-02-29
             * @example 2024-02-29T13:45:00Z
             */
            in_person_deposit_check_date?: string | null;
            /** @description If applicable */
            payment_frequency?: string | null;
            /** @description If applicable */
            payment_method?: string | null;
            /** @description If applicable */
            loan_payment?: (number | string) | null;
            /**
             * @description If applicable
             * @example 2024-02-29
             * @example 2024-02-29T13:45:00Z
             */
            loan_payoff_date?: string | null;
            /** @description If applicable */
            loan_principal?: (number | string) | null;
            /** @description If applicable */
            loan_term?: string | null;
            /**
             * @description If applicable
             * @example 2024-02-29
             * @example 2024-02-29T13:45:00Z
             */
            maturity_date?: string | null;
            /**
             * @description Latest debit card transaction
             * @example 2024-02-29
             * @example 2024-02-29T13:45:00Z
             */
            last_debit_card_transaction?: string | null;
            /** @description Amount of latest mobile pay transaction */
            last_mobile_pay_amount?: (number | string) | null;
            /**
             * @description Latest remote deposit if within the last 30 days
             * @example 2024-02-29
             * @example 2024-02-29T13:45:00Z
             */
            remote_deposit_last_30_days?: string | null;
            /** @description Free-form data; readable by anyone inspecting journey pages */
            meta_public?: components["schemas"]["FreeFormObject"] | null;
            /** @description Free-form data; exposed only after identity validation */
            meta_private?: components["schemas"]["FreeFormObject"] | null;
        };
        /** @description Authorization server metadata (RFC 8414). */
        AuthorizationServer: {
            /**
             * Format: uri
             * @description The `iss` of access tokens.
             */
            issuer: string;
            /**
             * Format: uri
             * @description URL of the token endpoint.
             */
            token_endpoint: string;
            /**
             * Format: uri
             * @description URL of the public keys.
             */
            jwks_uri: string;
            /** @description The supported grants. */
            grant_types_supported: "client_credentials"[];
            /** @description The scopes that a token can have. */
            scopes_supported: ("contacts:read" | "contacts:write" | "contacts:private" | "accounts:read" | "imports:read" | "imports:write" | "campaigns:read" | "journeys:read" | "journeys:write" | "channels:read")[];
            /** @description Empty, because there is no authorization endpoint. */
            response_types_supported: string[];
            /** @description The supported methods of client authentication. */
            token_endpoint_auth_methods_supported: ("client_secret_basic" | "client_secret_post" | "private_key_jwt")[];
            /** @description The supported signature algorithms of assertions. */
            token_endpoint_auth_signing_alg_values_supported: ("ES256" | "ES384" | "RS256" | "PS256")[];
        };
        /** @description The accepted chunk or request */
        BatchAcceptance: {
            /** @description Id of the batch, from the caller or assigned by the service */
            batch_id: string;
            /**
             * @description Type of the records
             * @constant
             */
            type: "account";
            /** @description As in the request; `null` if the request had none */
            chunk_index: number | null;
            /** @description Number of accepted records. For a duplicate, the number that was accepted first */
            records: number;
            /**
             * @description The records are stored and will be applied
             * @constant
             */
            status: "accepted";
            /** @description True if this `batch_id` and `chunk_index` were accepted before. The records of this request are ignored */
            duplicate: boolean;
            /** @description For a duplicate: true if its records are the same JSON values in the same order as the accepted ones */
            same_records?: boolean;
            /**
             * @description For a duplicate whose chunk was failed: the chunk is open again and will be retried
             * @constant
             */
            redriven?: true;
        };
        /** @description The chunks of the batch: requests, or parts into which the service has split a request */
        BatchChunks: {
            /** @description Accepted chunks that are not discarded */
            accepted: number;
            /** @description Chunks whose records have been applied */
            completed: number;
            /** @description Chunks that are failed. Their records are kept */
            failed: number;
            /** @description Chunks that an operator discarded. Present only if there are any */
            discarded?: number;
            /** @description Chunks that were cancelled before processing began. Present only if there are any */
            cancelled?: number;
            /** @description `chunk_count`, if a chunk named it */
            expected?: number;
            /** @description Present with `expected`: the first 100 indexes for which no chunk has been accepted yet */
            missing?: number[];
        };
        /** @description Account records to import */
        BatchInput: {
            /** @description Type of the records: `account` or `accounts`, which mean the same */
            type: components["schemas"]["BatchInputType"];
            /** @description Id of the batch, chosen by the caller. If it is left out, the service assigns a UUID */
            batch_id?: string | null;
            /** @description Index of this request in the batch, from zero. Together with `batch_id` it is the idempotency key */
            chunk_index?: number | null;
            /** @description Number of chunks in the whole batch, if known. It must be the same in all chunks that send it (else 409). With it, the status of the batch lists the missing chunks */
            chunk_count?: number | null;
            /** @description The accounts, in the order in which they are applied */
            records: components["schemas"]["AccountInput"][];
        };
        /**
         * @description Type of the records: `account` or `accounts`, which mean the same
         * @enum {string}
         */
        BatchInputType: "account" | "accounts";
        /** @description A page of the team's batches, newest first */
        BatchList: {
            /** @description The batches of the page, without their errors */
            batches: components["schemas"]["BatchSummary"][];
            /** @description Batches per page */
            limit: number;
            /** @description True if there are older batches */
            has_more: boolean;
            /** @description If there are more batches: the value of `cursor` for the next page */
            next_cursor?: string;
        };
        /** @description Counts of records. For completed chunks, the last four add up to the accepted records */
        BatchRecords: {
            /** @description Records of the accepted chunks */
            accepted: number;
            /** @description Records that changed something */
            applied: number;
            /** @description Records that were equal to the stored data */
            unchanged: number;
            /** @description Records that were not applied because a later chunk had already written or confirmed the same item */
            superseded: number;
            /** @description Records that could not be stored. See `errors` */
            rejected: number;
        };
        /** @description The progress of a batch */
        BatchStatus: {
            /** @description Id of the batch, from the caller or assigned by the service */
            batch_id: string;
            /**
             * @description Type of the records
             * @constant
             */
            type: "account";
            /** @description `processing` while a chunk is open or missing, else `failed` if a chunk is failed, else `completed` */
            status: components["schemas"]["BatchSummaryStatus"];
            chunks: components["schemas"]["BatchChunks"];
            records: components["schemas"]["BatchRecords"];
            /** @description Records that could not be stored: the first 100, or all if `chunk_index` selects one chunk */
            errors: components["schemas"]["RejectedRecord"][];
            /**
             * Format: date-time
             * @description Time at which the first chunk was accepted
             */
            inserted_at: string;
            /**
             * Format: date-time
             * @description Time at which the last chunk ended. `null` until the batch is completed
             */
            completed_at: string | null;
        };
        /** @description The progress of a batch */
        BatchSummary: {
            /** @description Id of the batch, from the caller or assigned by the service */
            batch_id: string;
            /**
             * @description Type of the records
             * @constant
             */
            type: "account";
            /** @description `processing` while a chunk is open or missing, else `failed` if a chunk is failed, else `completed` */
            status: components["schemas"]["BatchSummaryStatus"];
            chunks: components["schemas"]["BatchChunks"];
            records: components["schemas"]["BatchRecords"];
            /**
             * Format: date-time
             * @description Time at which the first chunk was accepted
             */
            inserted_at: string;
            /**
             * Format: date-time
             * @description Time at which the last chunk ended. `null` until the batch is completed
             */
            completed_at: string | null;
        };
        /**
         * @description `processing` while a chunk is open or missing, else `failed` if a chunk is failed, else `completed`
         * @enum {string}
         */
        BatchSummaryStatus: "processing" | "completed" | "failed";
        /** @description The client authentication failed (RFC 6749, section 5.2). */
        ClientRefusal: {
            /** @description The error code (RFC 6749, section 5.2). Use it to decide what to do. */
            error: components["schemas"]["ClientRefusalError"];
            /** @description For people. The wording may change. */
            error_description: string;
        };
        /**
         * @description The error code (RFC 6749, section 5.2). Use it to decide what to do.
         * @enum {string}
         */
        ClientRefusalError: "invalid_client";
        /** @description A contact with all fields. A field that is not set is `null` */
        Contact: {
            /**
             * Format: uuid
             * @description System id
             */
            id: string;
            /** @description Id of the contact in the system of the caller */
            unique_id: string;
            /** @description Title */
            name_title: string | null;
            /** @description First name */
            name_first: string | null;
            /** @description Last name */
            name_last: string | null;
            /** @description Suffix */
            name_suffix: string | null;
            /** @description Address line 1 */
            address: string | null;
            /** @description Address line 2 */
            address2: string | null;
            /** @description City */
            city: string | null;
            /** @description State */
            state: string | null;
            /** @description County */
            county: string | null;
            /** @description Country */
            country: string | null;
            /** @description Postal or zip code */
            post_code: string | null;
            /** @description Timezone name */
            timezone: string | null;
            /** @description Email address. An empty or blank value clears it */
            email: string | null;
            /** @description Home phone: digits and punctuation, no letters. Stored as digits; a leading 1 is added to ten digits */
            phone_home: string | null;
            /** @description Mobile phone: digits and punctuation, no letters. Stored as digits; a leading 1 is added to ten digits */
            phone_mobile: string | null;
            /** @description Work phone: digits and punctuation, no letters. Stored as digits; a leading 1 is added to ten digits */
            phone_work: string | null;
            /**
             * Format: date
             * @description Date of birth
             */
            birthdate: string | null;
            /** @description The contact proved access to the email address */
            email_verified: boolean | null;
            /** @description The contact is opted in to emails */
            email_opted_in: boolean | null;
            /** @description The email on file may be used to authenticate the contact and reveal sensitive data */
            email_authorized: boolean | null;
            /** @description The contact proved access to the mobile number */
            sms_verified: boolean | null;
            /** @description The contact is opted in to sms */
            sms_opted_in: boolean | null;
            /** @description The mobile number on file may be used to authenticate the contact and reveal sensitive data */
            sms_authorized: boolean | null;
            /**
             * @deprecated
             * @description Inverse of `email_opted_in`
             */
            unsubscribe_email: boolean | null;
            /**
             * @deprecated
             * @description Inverse of `sms_opted_in`
             */
            unsubscribe_sms: boolean | null;
            /** @description Free-form data for personalization, flattened to dot-joined keys. Anyone who inspects journey pages can read it */
            meta_public: components["schemas"]["FlattenedMetadata"] | null;
            /** @description Free-form private data, flattened to dot-joined keys. Shown on pages only after the contact has proved the identity */
            meta_private?: components["schemas"]["FlattenedMetadata"] | null;
            /**
             * Format: date-time
             * @description Time of creation
             */
            inserted_at: string;
            /**
             * Format: date-time
             * @description Time of the last change
             */
            updated_at: string;
        };
        /** @description An account of a contact, with the role of the contact */
        ContactAccount: {
            /** @description The contact's role on the account */
            role: string | null;
            /** @description The account */
            account: components["schemas"]["Account"];
        };
        /** @description The result of a batch of contacts */
        ContactBatch: {
            /** @description The created contacts, in the order of the request */
            new_contacts: components["schemas"]["CreatedContact"][];
            /** @description The contacts that existed before, in the order of the request */
            existing_contacts: components["schemas"]["Contact"][];
        };
        /** @description Contacts to create or update together */
        ContactBatchInput: {
            /** @description Contacts, applied in this order */
            contacts: components["schemas"]["ContactInput"][];
        } & {
            [key: string]: unknown;
        };
        /** @description A field that is left out keeps its value, `null` clears it. A field whose name is the key of an objective completes it. */
        ContactInput: {
            /** @description Id of the contact in the system of the caller: any string of at most 1,024 bytes of UTF-8. It identifies the contact to create or update. If it is absent, empty or blank, `email` is used instead */
            unique_id?: string | null;
            /** @description Title */
            name_title?: string | null;
            /** @description First name */
            name_first?: string | null;
            /** @description Last name */
            name_last?: string | null;
            /** @description Suffix */
            name_suffix?: string | null;
            /** @description Address line 1 */
            address?: string | null;
            /** @description Address line 2 */
            address2?: string | null;
            /** @description City */
            city?: string | null;
            /** @description State */
            state?: string | null;
            /** @description County */
            county?: string | null;
            /** @description Country */
            country?: string | null;
            /** @description Postal or zip code */
            post_code?: string | null;
            /** @description Timezone name */
            timezone?: string | null;
            /** @description Email address. An empty or blank value clears it */
            email?: string | null;
            /** @description Home phone: digits and punctuation, no letters. Stored as digits; a leading 1 is added to ten digits */
            phone_home?: string | null;
            /** @description Mobile phone: digits and punctuation, no letters. Stored as digits; a leading 1 is added to ten digits */
            phone_mobile?: string | null;
            /** @description Work phone: digits and punctuation, no letters. Stored as digits; a leading 1 is added to ten digits */
            phone_work?: string | null;
            /** @description The contact proved access to the email address */
            email_verified?: boolean | null;
            /** @description The contact is opted in to emails */
            email_opted_in?: boolean | null;
            /** @description The email on file may be used to authenticate the contact and reveal sensitive data */
            email_authorized?: boolean | null;
            /** @description The contact proved access to the mobile number */
            sms_verified?: boolean | null;
            /** @description The contact is opted in to sms */
            sms_opted_in?: boolean | null;
            /** @description The mobile number on file may be used to authenticate the contact and reveal sensitive data */
            sms_authorized?: boolean | null;
            /**
             * @deprecated
             * @description Inverse of `email_opted_in`, which replaces it
             */
            unsubscribe_email?: boolean | null;
            /**
             * @deprecated
             * @description Inverse of `sms_opted_in`, which replaces it
             */
            unsubscribe_sms?: boolean | null;
            /** @description Free-form data for personalization, flattened to dot-joined keys. Anyone who inspects journey pages can read it */
            meta_public?: components["schemas"]["FreeFormObject"] | null;
            /** @description Free-form private data, flattened to dot-joined keys. Shown on pages only after the contact has proved the identity */
            meta_private?: components["schemas"]["FreeFormObject"] | null;
            /**
             * Format: date
             * @description Date of birth
             */
            birthdate?: string | null;
            /** @description Creates or updates a journey from this template immediately. The dotted key `"journey.template_id"` means the same */
            journey?: components["schemas"]["ContactJourneyInput"] | null;
        } & {
            [key: string]: unknown;
        };
        /** @description The journey to start for the contact */
        ContactJourneyInput: {
            /** @description The campaign */
            template_id?: string | null;
        } & {
            [key: string]: unknown;
        };
        /** @description A page of contacts */
        ContactList: {
            /** @description The contacts of the page */
            contacts: components["schemas"]["Contact"][];
            /** @description Contacts per page */
            limit: number;
            /** @description Number of contacts that were skipped */
            offset: number;
            /** @description True if more contacts follow */
            has_more: boolean;
            /** @description If there are more contacts: the value of `cursor` for the next page */
            next_cursor?: string;
        };
        /** @description An existing contact */
        ContactReference: {
            /**
             * Format: uuid
             * @description System id of an existing contact
             */
            id: string;
        };
        /** @description A piece of content, with the ids of the objects that contain it */
        ContentBlock: {
            /**
             * Format: uuid
             * @description Block id
             */
            id: string;
            /**
             * Format: uuid
             * @description Id of the object that directly contains the block
             */
            container_id: string;
            /** @description Type of the object that directly contains the block */
            container_type: components["schemas"]["ContentBlockContainerType"];
            /**
             * Format: uuid
             * @description Content container that contains the block
             */
            content_container_id: string | null;
            /**
             * Format: uuid
             * @description Message that contains the block
             */
            message_id: string | null;
            /**
             * Format: uuid
             * @description Page that contains the block
             */
            page_id: string | null;
            /**
             * Format: uuid
             * @description Template that contains the block
             */
            template_id: string | null;
            /** @description CSS */
            css: string | null;
            /** @description Texts and settings, depending on the type of the block */
            data: components["schemas"]["ContentBlockData"] | null;
            /** @description Size of the block in the grid, by screen width */
            grid: components["schemas"]["ContentBlockGrid"] | null;
            /** @description Position of the block */
            order: number | null;
            /** @description Slug */
            slug: string | null;
            /** @description Styles */
            styles: components["schemas"]["FreeFormObject"] | null;
            /** @description Block type */
            type: string | null;
        };
        /**
         * @description Type of the object that directly contains the block
         * @enum {string}
         */
        ContentBlockContainerType: "content_container" | "message" | "page" | "template";
        /** @description Texts and settings, depending on the type of the block */
        ContentBlockData: {
            /** @description Text that confirms an acceptance */
            acceptedConfirmationText: string | null;
            /** @description Text to agree to */
            agreementText: string | null;
            /** @description CSS class */
            customClass: string | null;
            /** @description Text that confirms a refusal */
            declinedConfirmationText: string | null;
            /** @description Text of the choice to disagree */
            disagreeText: string | null;
            /** @description Text of the link to the document */
            documentLinkText: string | null;
            /** @description URL of the document */
            documentLinkUrl: string | null;
            /** @description Heading */
            heading: string | null;
            /** @description Name */
            name: string | null;
            /** @description Text of the signature box */
            signatureBoxText: string | null;
        } & {
            [key: string]: unknown;
        };
        /** @description Size of the block in the grid, by screen width */
        ContentBlockGrid: {
            /** @description Extra small screens */
            xs: unknown;
            /** @description Small screens */
            sm: unknown;
            /** @description Medium screens */
            md: unknown;
            /** @description Large screens */
            lg: unknown;
            /** @description Extra large screens */
            xl: unknown;
        };
        /**
         * @description State of the content blocks
         * @enum {string}
         */
        ContentBlockStatus: "draft" | "published";
        /** @description Content of a page for one engagement channel */
        ContentContainer: {
            /**
             * Format: uuid
             * @description Container id
             */
            id: string;
            /** @description CSS */
            css: string | null;
            /**
             * Format: uuid
             * @description Id of the engagement channel
             */
            engagement_channel_id: string | null;
            /** @description Basis of the layout */
            layout_basis: components["schemas"]["ContentContainerLayoutBasis"] | null;
            /** @description Styles */
            styles: components["schemas"]["FreeFormObject"] | null;
            /** @description Content blocks of the container */
            content_blocks: components["schemas"]["ContentBlock"][];
            /** @description Channel that the content is for */
            engagement_channel: components["schemas"]["EngagementChannel"] | null;
            /**
             * Format: uuid
             * @description Page that contains the container
             */
            page_id: string;
        };
        /**
         * @description Basis of the layout
         * @enum {string}
         */
        ContentContainerLayoutBasis: "grid" | "table" | "none";
        /** @description The URLs of the content for a channel */
        ContentContainerReference: {
            /**
             * @description Type of this object
             * @constant
             */
            _type: "content_container_reference";
            /**
             * Format: uri
             * @description URL of the journey of the contact; `null` for default content
             */
            journey_url: string | null;
            /**
             * Format: uri
             * @description URL of the content, for a browser
             */
            url: string;
        };
        /** @description A contact that this request created. It has no `meta_private` */
        CreatedContact: {
            /**
             * Format: uuid
             * @description System id
             */
            id: string;
            /** @description Id of the contact in the system of the caller */
            unique_id: string;
            /** @description Title */
            name_title: string | null;
            /** @description First name */
            name_first: string | null;
            /** @description Last name */
            name_last: string | null;
            /** @description Suffix */
            name_suffix: string | null;
            /** @description Address line 1 */
            address: string | null;
            /** @description Address line 2 */
            address2: string | null;
            /** @description City */
            city: string | null;
            /** @description State */
            state: string | null;
            /** @description County */
            county: string | null;
            /** @description Country */
            country: string | null;
            /** @description Postal or zip code */
            post_code: string | null;
            /** @description Timezone name */
            timezone: string | null;
            /** @description Email address. An empty or blank value clears it */
            email: string | null;
            /** @description Home phone: digits and punctuation, no letters. Stored as digits; a leading 1 is added to ten digits */
            phone_home: string | null;
            /** @description Mobile phone: digits and punctuation, no letters. Stored as digits; a leading 1 is added to ten digits */
            phone_mobile: string | null;
            /** @description Work phone: digits and punctuation, no letters. Stored as digits; a leading 1 is added to ten digits */
            phone_work: string | null;
            /**
             * Format: date
             * @description Date of birth
             */
            birthdate: string | null;
            /** @description The contact proved access to the email address */
            email_verified: boolean | null;
            /** @description The contact is opted in to emails */
            email_opted_in: boolean | null;
            /** @description The email on file may be used to authenticate the contact and reveal sensitive data */
            email_authorized: boolean | null;
            /** @description The contact proved access to the mobile number */
            sms_verified: boolean | null;
            /** @description The contact is opted in to sms */
            sms_opted_in: boolean | null;
            /** @description The mobile number on file may be used to authenticate the contact and reveal sensitive data */
            sms_authorized: boolean | null;
            /**
             * @deprecated
             * @description Inverse of `email_opted_in`
             */
            unsubscribe_email: boolean | null;
            /**
             * @deprecated
             * @description Inverse of `sms_opted_in`
             */
            unsubscribe_sms: boolean | null;
            /** @description Free-form data for personalization, flattened to dot-joined keys. Anyone who inspects journey pages can read it */
            meta_public: components["schemas"]["FlattenedMetadata"] | null;
            /**
             * Format: date-time
             * @description Time of creation
             */
            inserted_at: string;
            /**
             * Format: date-time
             * @description Time of the last change
             */
            updated_at: string;
        };
        /** @description A site or application outside the service in which content is embedded */
        EngagementChannel: {
            /**
             * Format: uuid
             * @description Channel id
             */
            id: string;
            /** @description Name of the channel */
            name: string | null;
            /** @description Size of the area in which the content is embedded */
            properties: components["schemas"]["EngagementChannelProperties"] | null;
            /** @description True if navigation is shown with the content */
            show_navigation: boolean | null;
            /** @description Styles of the theme */
            theme_styles: components["schemas"]["EngagementChannelThemeStyles"] | null;
        };
        /** @description Engagement channels */
        EngagementChannelList: {
            /** @description By name */
            engagement_channels: components["schemas"]["EngagementChannel"][];
        };
        /** @description Size of the area in which the content is embedded */
        EngagementChannelProperties: {
            /** @description Height */
            height: unknown;
            /** @description Width */
            width: unknown;
        };
        /** @description Styles of the theme */
        EngagementChannelThemeStyles: {
            /** @description Custom styles */
            custom: components["schemas"]["FreeFormObject"] | null;
            /** @description Overrides */
            overrides: components["schemas"]["FreeFormObject"] | null;
            /** @description Colours */
            palette: components["schemas"]["FreeFormObject"] | null;
            /** @description Typography */
            typography: components["schemas"]["FreeFormObject"] | null;
        };
        /**
         * @description The error code. Use it to decide what to do.
         * @enum {string}
         */
        ErrorCode: "insufficient_scope" | "forbidden" | "identity_required" | "not_found" | "method_not_allowed" | "conflict" | "gone" | "precondition_failed" | "payload_too_large" | "unsupported_media_type" | "too_many_requests" | "internal_error" | "unavailable";
        /**
         * @description The error code. Use it to decide what to do.
         * @enum {string}
         */
        ErrorCodeWithDetails: "invalid_request" | "validation_failed";
        /** @description One invalid field or parameter. */
        ErrorDetail: {
            /** @description JSON Pointer into the body, or the name of a query parameter. */
            path: string;
            /** @description What is wrong with this value, for people. The wording may change. */
            message: string;
        };
        /** @description Why the request failed. */
        ErrorResponse: {
            error: components["schemas"]["ErrorCode"];
            /** @description For people. The wording may change. */
            message: string;
            /** @description Id of this request in our log, also in the header `x-request-id`. */
            request_id: string;
        };
        /** @description Why the request failed, with every error. */
        ErrorResponseWithDetails: {
            error: components["schemas"]["ErrorCodeWithDetails"];
            /** @description For people. The wording may change. */
            message: string;
            /** @description Id of this request in our log, also in the header `x-request-id`. */
            request_id: string;
            /** @description All errors of the request, up to 100. */
            details: components["schemas"]["ErrorDetail"][];
        };
        /** @description A template, with its survey flag if requested */
        FlaggedTemplate: {
            /**
             * Format: uuid
             * @description Template id
             */
            id: string;
            /** @description Campaign name */
            name: string | null;
            /** @description Campaign analytics */
            analytics: unknown;
            /**
             * Format: date-time
             * @description Time at which the campaign was archived
             */
            archived_at: string | null;
            /** @description Audience of the campaign */
            audience: components["schemas"]["TemplateAudience"] | null;
            /** @description State of the content blocks */
            content_block_status: components["schemas"]["ContentBlockStatus"] | null;
            /** @description CSS */
            css: string | null;
            /** @description Custom CSS */
            custom_css: string | null;
            /** @description Styles that the editor offers */
            editor_styles: components["schemas"]["TemplateEditorStyles"] | null;
            /** @description Email address of the sender */
            email_sender_address: string | null;
            /** @description Name of the sender */
            email_sender_name: string | null;
            /** @description Campaign facts */
            facts: unknown;
            /** @description Footer content */
            footer_content: unknown;
            /** @description True if the progress ring is hidden */
            hide_progress_ring: boolean | null;
            /**
             * Format: date-time
             * @description Time of creation
             */
            inserted_at: string | null;
            /** @description True if the campaign is archived */
            is_archived: boolean | null;
            /** @description True if contacts must prove their identity for the campaign */
            is_auth_required: boolean | null;
            /** @description True if cross-channel engagement is enabled */
            is_cce_enabled: boolean | null;
            /** @description True if the campaign is muted */
            is_muted: boolean | null;
            /** @description True if the campaign has priority in targeting */
            is_targeting_priority: boolean | null;
            /** @description How targeting creates journeys */
            journey_creation_strategy: components["schemas"]["TemplateJourneyCreationStrategy"] | null;
            /** @description Hours that a journey lasts */
            journey_duration_hours: number | null;
            /** @description Title of journeys */
            journey_title_options: components["schemas"]["TemplateJourneyTitleOptions"] | null;
            /** @description Layout direction */
            layout_basis: string | null;
            /** @description Id of the logo file */
            logo_file_id: string | null;
            /** @description Id of the owner */
            owner_id: string | null;
            /** @description State of the campaign */
            status: components["schemas"]["TemplateStatus"] | null;
            /** @description Style objects */
            styles: components["schemas"]["TemplateStyles"] | null;
            /** @description Options of the support owner */
            support_owner_options: unknown;
            /** @description Priority by which targeting filters accounts */
            targeting_account_priority: unknown;
            /** @description How targeting groups are combined */
            targeting_group_logical_operator: components["schemas"]["TemplateTargetingGroupLogicalOperator"] | null;
            /** @description Position in the order of targeting */
            targeting_order: number | null;
            /** @description Base theme */
            theme_base: unknown;
            /** @description Theme overrides */
            theme_overrides: unknown;
            /** @description Theme */
            theme: unknown;
            /** @description Kind of campaign */
            type: components["schemas"]["TemplateType"] | null;
            /** @description What the campaign is used for */
            use_case: components["schemas"]["TemplateUseCase"] | null;
            /** @description Content blocks of the template itself */
            content_blocks: components["schemas"]["ContentBlock"][];
            /** @description Owning team */
            team: components["schemas"]["Team"] | null;
            /** @description True if any content block of the template is a survey. Present only if requested */
            has_survey_content_blocks?: boolean;
        };
        /** @description Metadata as it is stored: nested keys are joined by dots, and each value is a scalar */
        FlattenedMetadata: {
            [key: string]: string | number | boolean | null;
        };
        /** @description Any JSON object */
        FreeFormObject: {
            [key: string]: unknown;
        };
        /** @description An error of the gateway in front of the service. It has no `Retry-After` and no `x-request-id`. */
        GatewayError: {
            /** @description For people. The wording may change. */
            message: string;
        };
        /** @description The access token is missing or invalid. The body has no other field. */
        InvalidToken: {
            /**
             * @description The error code.
             * @constant
             */
            error: "invalid_token";
        };
        /** @description One contact’s instance of a campaign */
        Journey: {
            /**
             * Format: uuid
             * @description Journey id
             */
            id: string;
            /** @description The unguessable last part of the URL of the journey */
            slug: string;
            /** @description Origin of the journey */
            source: string;
            /**
             * Format: uuid
             * @description The campaign
             */
            template_id: string;
            /**
             * Format: date-time
             * @description Time at which the completion was confirmed manually
             */
            completion_verified_at: string | null;
            /**
             * Format: date-time
             * @description Time of creation
             */
            inserted_at: string;
            /**
             * Format: date-time
             * @description Time of the last change
             */
            updated_at: string;
        };
        /** @description The progress of a journey */
        JourneyAnalytics: {
            /** @description True if every page with a condition is completed */
            is_completed: boolean;
            /** @description True if every page was viewed */
            is_completely_viewed: boolean;
            /**
             * Format: date-time
             * @description Time of the latest view of a page
             */
            last_viewed: string | null;
            /** @description Page ids, in page order */
            pages_completed: string[];
            /** @description Page ids, in page order */
            pages_viewed: string[];
        };
        /** @description Confirmation of a completed journey */
        JourneyConfirmation: {
            /** @description `true` confirms the completion */
            is_completion_confirmed: boolean;
        } & {
            [key: string]: unknown;
        };
        /** @description A contact and the fields of its journey */
        JourneyInput: {
            /** @description Id of the user who owns the journey */
            owner_id?: string | null;
            /** @description Name of the journey. The default is the name of the template */
            name?: string | null;
            /** @description Origin of the journey. The default is `api`. The service itself sets `api`, `admin-console`, `automatic-targeting`, `direct` */
            source?: string | null;
            /** @description The contact to create or update, or only the `id` of an existing contact */
            contact: components["schemas"]["ContactReference"] | components["schemas"]["ContactInput"];
        } & {
            [key: string]: unknown;
        };
        /** @description A public key (RFC 7517). */
        JsonWebKey: {
            /**
             * @description Elliptic curve.
             * @constant
             */
            kty: "EC";
            /**
             * @description The curve.
             * @constant
             */
            crv: "P-256";
            /** @description Coordinate of the public point, base64url. */
            x: string;
            /** @description Coordinate of the public point, base64url. */
            y: string;
            /** @description Id of the key. Each token names the key that signed it. */
            kid: string;
            /**
             * @description The key is for signatures.
             * @constant
             */
            use: "sig";
            /**
             * @description Signature algorithm.
             * @constant
             */
            alg: "ES256";
        };
        /** @description Public keys (RFC 7517). */
        JsonWebKeySet: {
            /** @description Keys that are in use now or will be soon. */
            keys: components["schemas"]["JsonWebKey"][];
        };
        /** @description A journey with its contact, campaign and progress */
        ListedJourney: {
            /**
             * Format: uuid
             * @description Journey id
             */
            id: string;
            /** @description The unguessable last part of the URL of the journey */
            slug: string;
            /** @description Origin of the journey */
            source: string;
            /**
             * Format: uuid
             * @description The campaign
             */
            template_id: string;
            /**
             * Format: date-time
             * @description Time at which the completion was confirmed manually
             */
            completion_verified_at: string | null;
            /**
             * Format: date-time
             * @description Time of creation
             */
            inserted_at: string;
            /**
             * Format: date-time
             * @description Time of the last change
             */
            updated_at: string;
            /** @description The progress of the journey */
            analytics_cache: components["schemas"]["JourneyAnalytics"];
            /** @description The contact of the journey. Includes `meta_private` if the token may read it */
            contact: components["schemas"]["Contact"];
            /** @description The campaign */
            template: components["schemas"]["Template"];
        };
        /** @description An email or sms of a campaign */
        Message: {
            /**
             * Format: uuid
             * @description Message id
             */
            id: string;
            /** @description State of the content blocks */
            content_block_status: components["schemas"]["ContentBlockStatus"] | null;
            /** @description Content name */
            content_name: string | null;
            /** @description CSS */
            css: string | null;
            /** @description True if the message is archived */
            is_archived: boolean | null;
            /** @description True if templates share the message */
            is_shared: boolean | null;
            /** @description True if the message is transactional */
            is_transactional: boolean | null;
            /** @description Basis of the layout, for example `grid` */
            layout_basis: string | null;
            /**
             * Format: uuid
             * @description Objective that the message serves
             */
            objective_id: string | null;
            /** @description Payload of the message */
            payload: unknown;
            /** @description Styles */
            styles: components["schemas"]["FreeFormObject"] | null;
            /** @description Channel by which the message is sent */
            type: components["schemas"]["MessageType"] | null;
            /** @description Content blocks of the message */
            content_blocks: components["schemas"]["ContentBlock"][];
            /** @description Objective that the message serves */
            objective: components["schemas"]["Objective"] | null;
        };
        /**
         * @description Channel by which the message is sent
         * @enum {string}
         */
        MessageType: "email" | "sms";
        /** @description Something that contacts can complete */
        Objective: {
            /**
             * Format: uuid
             * @description Objective id
             */
            id: string;
            /**
             * Format: uuid
             * @description Id of the owning team; `null` if the objective is global
             */
            team_id: string | null;
            /** @description Key of the objective. A contact field with this name completes it */
            key: string;
            /** @description Friendly name */
            name: string | null;
            /** @description Id of the driver object */
            driver_id: string | null;
        };
        /** @description Objectives */
        ObjectiveList: {
            /** @description By `key` */
            objectives: components["schemas"]["Objective"][];
        };
        /** @description An OpenAPI document. */
        OpenApiDocument: {
            /** @description Version of OpenAPI. */
            openapi: string;
        } & {
            [key: string]: unknown;
        };
        /** @description A page of a campaign */
        Page: {
            /**
             * Format: uuid
             * @description Page id
             */
            id: string;
            /** @description Benchmark */
            benchmark: unknown;
            /** @description Condition that completes the page */
            completion_condition: components["schemas"]["PageCompletionCondition"] | null;
            /** @description Message shown on completion */
            completion_message: string | null;
            /**
             * Format: uuid
             * @description Product that completes the page
             */
            completion_product_id: string | null;
            /** @description Product type that completes the page */
            completion_product_type: string | null;
            /** @description Page content */
            content: unknown;
            /** @description State of the content blocks */
            content_block_status: components["schemas"]["ContentBlockStatus"] | null;
            /** @description Content name */
            content_name: string | null;
            /** @description Custom CSS */
            css: string | null;
            /** @description Call to action */
            cta: unknown;
            /** @description True if the page is excluded from cross-channel engagement */
            exclude_from_cce: boolean | null;
            /** @description True if the page is hidden when it is completed */
            hide_when_complete: boolean | null;
            /** @description True if the page is archived */
            is_archived: boolean | null;
            /** @description True if the page is live */
            is_live: boolean | null;
            /** @description True if templates share the page */
            is_shared: boolean | null;
            /** @description Basis of the layout */
            layout_basis: components["schemas"]["PageLayoutBasis"] | null;
            /** @description Title for navigation */
            navigation_title: string | null;
            /** @description New slug */
            new_slug: string | null;
            /** @description Old slug */
            old_slug: string | null;
            /** @description Slug */
            slug: string | null;
            /**
             * Format: uuid
             * @description Objective that completes the page
             */
            objective_id: string | null;
            /** @description Custom styles */
            styles: components["schemas"]["FreeFormObject"] | null;
            /** @description Products that complete the page; empty when unused */
            completion_product_ids: string[];
            /** @description Standardized types that complete the page; empty when unused */
            completion_standardized_types: ("agricultural_loan" | "auto_lease" | "auto_loan" | "business_cd" | "business_checking" | "business_credit_card" | "business_lease" | "business_loan" | "business_loc" | "business_money_market" | "business_savings" | "cd" | "checking" | "commercial_real_estate_loan" | "construction_loan" | "credit_card" | "direct_auto_loan" | "heloan" | "heloc" | "indirect_auto_loan" | "investment" | "ira_cd" | "ira_money_market" | "ira_savings" | "loc" | "money_market" | "mortgage" | "multifamily_real_estate_loan" | "other_lease" | "other_loan" | "payday_alternative_loan" | "personal_loan" | "rv_boat_motorcycle_loan" | "savings" | "secured_credit_card" | "secured_loan" | "student_checking" | "student_loan" | "student_savings" | "unknown")[];
            /** @description Content blocks of the page itself */
            content_blocks: components["schemas"]["ContentBlock"][];
            /** @description Content of the page by engagement channel */
            content_containers: components["schemas"]["ContentContainer"][];
            /** @description Owning team */
            team: components["schemas"]["Team"] | null;
            /**
             * Format: uuid
             * @description Id of the owning team
             */
            team_id: string;
            /**
             * Format: date-time
             * @description Time of the last change
             */
            updated_at: string | null;
        };
        /** @description An action on a page */
        PageAction: {
            /** @description Type of the action */
            type: components["schemas"]["PageActionType"];
            /** @description A page of the journey’s template */
            page_id: string;
            /**
             * @description With `page_completed`: the answers. If one declines, the page is not completed
             * @default []
             */
            answers: components["schemas"]["PageAnswerInput"][];
            /** @description For a form: with any value, the redirect leads back to this page instead of the next one */
            stay?: unknown;
        } & {
            [key: string]: unknown;
        };
        /**
         * @description Type of the action
         * @enum {string}
         */
        PageActionType: "page_viewed" | "page_completed";
        /** @description The answer of a person to one block of a page */
        PageAnswerInput: {
            /** @description Id of the block */
            block_id: string;
            /** @description The decision on an agreement, a signature or a confirmation */
            answer?: components["schemas"]["PageResponseAnswer"] | null;
            /** @description The typed name, with at least two letters, if the block asks for a signature */
            typed_name?: string | null;
            /** @description The answers to the questions of a survey */
            values?: components["schemas"]["SurveyValueInput"][] | null;
        } & {
            [key: string]: unknown;
        };
        /**
         * @description Condition that completes the page
         * @enum {string}
         */
        PageCompletionCondition: "action" | "confirm" | "objective" | "open" | "view";
        /**
         * @description Basis of the layout
         * @enum {string}
         */
        PageLayoutBasis: "grid" | "none";
        /** @description The answer of a person to a block of a page */
        PageResponse: {
            /**
             * Format: uuid
             * @description Response id
             */
            id: string;
            /**
             * Format: uuid
             * @description The page
             */
            page_id: string;
            /**
             * Format: uuid
             * @description The block of the page
             */
            block_id: string;
            /** @description Type of the block */
            block_type: string | null;
            /** @description The decision; `null` for a survey */
            answer: components["schemas"]["PageResponseAnswer"] | null;
            /** @description The name that was typed as a signature */
            typed_name: string | null;
            /** @description The answers to the questions of a survey */
            values: components["schemas"]["SurveyValue"][];
            /** @description The text of the block, as it was shown. If the identity had been proved, this is `null` without the scope `contacts:private` */
            text: string | null;
            /** @description Revision of the campaign content that contained the block */
            content_revision: string | null;
            /** @description True if the person had proved to be the contact */
            identity_proved: boolean;
            /**
             * Format: date-time
             * @description Time of the answer
             */
            at: string;
        };
        /**
         * @description The decision; `null` for a survey
         * @enum {string}
         */
        PageResponseAnswer: "accepted" | "declined";
        /** @description The product of an account */
        Product: {
            /**
             * Format: uuid
             * @description Product id
             */
            id: string;
            /** @description Product type */
            type: string;
            /** @description Product code */
            code: string;
            /** @description Product name */
            name: string | null;
            /** @description Product description */
            description: string | null;
            /** @description Services that are included in the product */
            services: components["schemas"]["ProductService"][];
        };
        /** @description The product of an account */
        ProductInput: {
            /** @description Product code, not blank, at most 512 bytes of UTF-8 */
            code: string;
            /** @description Product type */
            type: components["schemas"]["ProductInputType"];
            /** @description Normalised classification for reporting and targeting. `unknown` if it is left out */
            standardized_type?: components["schemas"]["ProductInputStandardizedType"];
            /** @description Product name */
            name?: string | null;
            /** @description Product description */
            description?: string | null;
        };
        /**
         * @description Normalised classification for reporting and targeting. `unknown` if it is left out
         * @enum {string}
         */
        ProductInputStandardizedType: "agricultural_loan" | "auto_lease" | "auto_loan" | "business_cd" | "business_checking" | "business_credit_card" | "business_lease" | "business_loan" | "business_loc" | "business_money_market" | "business_savings" | "cd" | "checking" | "commercial_real_estate_loan" | "construction_loan" | "credit_card" | "direct_auto_loan" | "heloan" | "heloc" | "indirect_auto_loan" | "investment" | "ira_cd" | "ira_money_market" | "ira_savings" | "loc" | "money_market" | "mortgage" | "multifamily_real_estate_loan" | "other_lease" | "other_loan" | "payday_alternative_loan" | "personal_loan" | "rv_boat_motorcycle_loan" | "savings" | "secured_credit_card" | "secured_loan" | "student_checking" | "student_loan" | "student_savings" | "unknown";
        /**
         * @description Product type
         * @enum {string}
         */
        ProductInputType: "checking" | "savings" | "loan" | "lease" | "investment";
        /** @description A service that is included in a product */
        ProductService: {
            /**
             * Format: uuid
             * @description Service id
             */
            id: string;
            /** @description Service name */
            name: string;
        };
        /** @description A record that could not be stored */
        RejectedRecord: {
            /** @description `chunk_index`, or the index of the chunk in a request without one */
            chunk: number;
            /** @description Index of the record in its chunk, from zero */
            record: number;
            /** @description Why the record could not be stored */
            message: string;
        };
        /** @description The responses of a journey */
        ResponseList: {
            /** @description Oldest first */
            responses: components["schemas"]["PageResponse"][];
        };
        /** @description A journey and its URL */
        StartedJourney: {
            /**
             * Format: uuid
             * @description Journey id
             */
            id: string;
            /** @description The unguessable last part of the URL of the journey */
            slug: string;
            /**
             * Format: uuid
             * @description The campaign
             */
            template_id: string;
            /**
             * Format: uri
             * @description URL of the journey in the web client
             */
            web_client_url: string;
        };
        /** @description An answer to one question */
        SurveyValue: {
            /** @description The `key` of the question, if the campaign has one */
            key?: string;
            /** @description The question, as it was shown. If the identity had been proved, this is `null` without the scope `contacts:private` */
            question: string | null;
            /** @description What was chosen or typed */
            value: string;
        };
        /** @description An answer to one question */
        SurveyValueInput: {
            /** @description The question, as it was shown */
            question: string;
            /** @description What was chosen or typed */
            value: string;
        } & {
            [key: string]: unknown;
        };
        /** @description The team that owns the content */
        Team: {
            /**
             * Format: uuid
             * @description Team id
             */
            id: string;
            /** @description Team name */
            name: string;
            /** @description URL of the privacy policy */
            privacy_policy_url: string | null;
            /** @description URL of the terms of service */
            terms_of_service_url: string | null;
            /** @description Time of the last change */
            updated_at: string;
        };
        /** @description A campaign */
        Template: {
            /**
             * Format: uuid
             * @description Template id
             */
            id: string;
            /** @description Campaign name */
            name: string | null;
            /** @description Campaign analytics */
            analytics: unknown;
            /**
             * Format: date-time
             * @description Time at which the campaign was archived
             */
            archived_at: string | null;
            /** @description Audience of the campaign */
            audience: components["schemas"]["TemplateAudience"] | null;
            /** @description State of the content blocks */
            content_block_status: components["schemas"]["ContentBlockStatus"] | null;
            /** @description CSS */
            css: string | null;
            /** @description Custom CSS */
            custom_css: string | null;
            /** @description Styles that the editor offers */
            editor_styles: components["schemas"]["TemplateEditorStyles"] | null;
            /** @description Email address of the sender */
            email_sender_address: string | null;
            /** @description Name of the sender */
            email_sender_name: string | null;
            /** @description Campaign facts */
            facts: unknown;
            /** @description Footer content */
            footer_content: unknown;
            /** @description True if the progress ring is hidden */
            hide_progress_ring: boolean | null;
            /**
             * Format: date-time
             * @description Time of creation
             */
            inserted_at: string | null;
            /** @description True if the campaign is archived */
            is_archived: boolean | null;
            /** @description True if contacts must prove their identity for the campaign */
            is_auth_required: boolean | null;
            /** @description True if cross-channel engagement is enabled */
            is_cce_enabled: boolean | null;
            /** @description True if the campaign is muted */
            is_muted: boolean | null;
            /** @description True if the campaign has priority in targeting */
            is_targeting_priority: boolean | null;
            /** @description How targeting creates journeys */
            journey_creation_strategy: components["schemas"]["TemplateJourneyCreationStrategy"] | null;
            /** @description Hours that a journey lasts */
            journey_duration_hours: number | null;
            /** @description Title of journeys */
            journey_title_options: components["schemas"]["TemplateJourneyTitleOptions"] | null;
            /** @description Layout direction */
            layout_basis: string | null;
            /** @description Id of the logo file */
            logo_file_id: string | null;
            /** @description Id of the owner */
            owner_id: string | null;
            /** @description State of the campaign */
            status: components["schemas"]["TemplateStatus"] | null;
            /** @description Style objects */
            styles: components["schemas"]["TemplateStyles"] | null;
            /** @description Options of the support owner */
            support_owner_options: unknown;
            /** @description Priority by which targeting filters accounts */
            targeting_account_priority: unknown;
            /** @description How targeting groups are combined */
            targeting_group_logical_operator: components["schemas"]["TemplateTargetingGroupLogicalOperator"] | null;
            /** @description Position in the order of targeting */
            targeting_order: number | null;
            /** @description Base theme */
            theme_base: unknown;
            /** @description Theme overrides */
            theme_overrides: unknown;
            /** @description Theme */
            theme: unknown;
            /** @description Kind of campaign */
            type: components["schemas"]["TemplateType"] | null;
            /** @description What the campaign is used for */
            use_case: components["schemas"]["TemplateUseCase"] | null;
            /** @description Content blocks of the template itself */
            content_blocks: components["schemas"]["ContentBlock"][];
            /** @description Owning team */
            team: components["schemas"]["Team"] | null;
        };
        /**
         * @description Audience of the campaign
         * @enum {string}
         */
        TemplateAudience: "Net New - Direct" | "Net New - Indirect" | "Existing - Direct" | "Existing - Indirect" | "Attrited/Dormant" | "All" | "Other";
        /** @description One template */
        TemplateDetails: {
            /** @description The template */
            template: components["schemas"]["FlaggedTemplate"];
        };
        /** @description Styles that the editor offers */
        TemplateEditorStyles: {
            /** @description Styles of the brand */
            branding_styles: components["schemas"]["FreeFormObject"] | null;
            /** @description Styles of the template */
            template_styles: components["schemas"]["FreeFormObject"] | null;
        };
        /**
         * @description How targeting creates journeys
         * @enum {string}
         */
        TemplateJourneyCreationStrategy: "ONE_FOR_ONE" | "ONE_FOR_ALL" | "NO_JOURNEY";
        /** @description Title of journeys */
        TemplateJourneyTitleOptions: {
            /** @description Source of the title of a journey */
            type: components["schemas"]["TemplateJourneyTitleOptionsType"] | null;
            /** @description The title, if `type` is `CUSTOM` */
            custom: string | null;
        };
        /**
         * @description Source of the title of a journey
         * @enum {string}
         */
        TemplateJourneyTitleOptionsType: "CONTACT_NAME" | "CUSTOM" | "NONE" | "TEAM_NAME" | "TEMPLATE_NAME";
        /** @description Templates */
        TemplateList: {
            /** @description By `targeting_order`, then by name */
            templates: components["schemas"]["Template"][];
        };
        /** @description A message in a template, with its position */
        TemplateMessage: {
            /**
             * Format: uuid
             * @description Template message id
             */
            id: string;
            /** @description Content variables */
            content_variables: components["schemas"]["FreeFormObject"] | null;
            /** @description Position of the message in the template */
            order: number | null;
            /** @description Queue that processes the message */
            queue: string | null;
            /**
             * Format: date-time
             * @description Time at which the message is to be sent
             */
            scheduled_at: string | null;
            /**
             * Format: uuid
             * @description Template page that the message belongs to
             */
            template_page_id: string | null;
            /** @description The message */
            message: components["schemas"]["Message"];
            /**
             * Format: uuid
             * @description Id of the message
             */
            message_id: string;
            /**
             * Format: uuid
             * @description Id of the template
             */
            template_id: string;
        };
        /** @description The messages of a template */
        TemplateMessageList: {
            /** @description By `order` */
            templates: components["schemas"]["TemplateMessage"][];
        };
        /** @description A page in a template, with its position */
        TemplatePage: {
            /**
             * Format: uuid
             * @description Template page id
             */
            id: string;
            /** @description Content variables of the page */
            content_variables: components["schemas"]["FreeFormObject"] | null;
            /** @description True if templates share the page */
            is_shared: boolean | null;
            /** @description Position of the page in the template */
            order: number | null;
            /** @description The page */
            page: components["schemas"]["Page"];
            /**
             * Format: uuid
             * @description Id of the page
             */
            page_id: string;
            /**
             * Format: uuid
             * @description Id of the template
             */
            template_id: string;
        };
        /**
         * @description State of the campaign
         * @enum {string}
         */
        TemplateStatus: "archived" | "draft" | "live";
        /** @description Style objects */
        TemplateStyles: {
            /** @description Custom styles */
            custom: components["schemas"]["FreeFormObject"] | null;
            /** @description Overrides */
            overrides: components["schemas"]["FreeFormObject"] | null;
            /** @description Colours */
            palette: components["schemas"]["FreeFormObject"] | null;
            /** @description Typography */
            typography: components["schemas"]["FreeFormObject"] | null;
        };
        /**
         * @description How targeting groups are combined
         * @enum {string}
         */
        TemplateTargetingGroupLogicalOperator: "AND" | "OR";
        /**
         * @description Kind of campaign
         * @enum {string}
         */
        TemplateType: "standard" | "tactical";
        /**
         * @description What the campaign is used for
         * @enum {string}
         */
        TemplateUseCase: "Onboarding" | "Digital Engagement" | "Cross-Sell" | "Operational Efficiency" | "Other";
        /** @description An access token. */
        Token: {
            /** @description A signed JWT (RFC 9068). Treat it as opaque. */
            access_token: string;
            /**
             * @description Send the token as `Authorization: Bearer …`.
             * @constant
             */
            token_type: "Bearer";
            /** @description Seconds until the token expires. */
            expires_in: number;
            /** @description The scopes of the token, separated by spaces. */
            scope: string;
        };
        /** @description The grant, and the credentials unless you use Basic authentication. */
        TokenRequest: {
            /**
             * @description The only supported grant.
             * @constant
             */
            grant_type: "client_credentials";
            /** @description The client id, unless you use Basic authentication. */
            client_id?: string | null;
            /** @description The secret, unless you use Basic authentication. */
            client_secret?: string | null;
            /** @description Required with an assertion: `urn:ietf:params:oauth:client-assertion-type:jwt-bearer`. */
            client_assertion_type?: string | null;
            /** @description Instead of a secret: a JWT that the client signed, with the client id as `iss` and `sub`, the issuer as `aud`, `exp` at most five minutes in the future, and a unique `jti`. */
            client_assertion?: string | null;
            /** @description The scopes of the token, separated by spaces. If absent, the token gets all scopes of the client. */
            scope?: string | null;
        };
        /** @description Why the request failed (RFC 6749, section 5.2). */
        TokenRequestRefusal: {
            /** @description The error code (RFC 6749, section 5.2). Use it to decide what to do. */
            error: components["schemas"]["TokenRequestRefusalError"];
            /** @description For people. The wording may change. */
            error_description: string;
        };
        /**
         * @description The error code (RFC 6749, section 5.2). Use it to decide what to do.
         * @enum {string}
         */
        TokenRequestRefusalError: "invalid_request" | "unsupported_grant_type" | "invalid_scope";
    };
    responses: {
        /** @description The request is malformed or has an invalid parameter. See details. */
        InvalidRequest: {
            headers: {
                "x-request-id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorResponseWithDetails"] | components["schemas"]["GatewayError"];
            };
        };
        /** @description The access token is missing, expired or invalid. */
        InvalidToken: {
            headers: {
                "x-request-id": components["headers"]["RequestId"];
                "www-authenticate": components["headers"]["BearerChallenge"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["InvalidToken"];
            };
        };
        /** @description The access token does not have a scope that this request needs. */
        InsufficientScope: {
            headers: {
                "x-request-id": components["headers"]["RequestId"];
                "www-authenticate": components["headers"]["ScopeChallenge"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorResponse"];
            };
        };
        /** @description The path or the object does not exist. */
        NotFound: {
            headers: {
                "x-request-id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorResponse"];
            };
        };
        /** @description The request contradicts an earlier request; nothing was stored. */
        Conflict: {
            headers: {
                "x-request-id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorResponse"];
            };
        };
        /** @description If-Match is not the current entity tag; nothing was stored. Read the object again. */
        PreconditionFailed: {
            headers: {
                "x-request-id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorResponse"];
            };
        };
        /** @description The request or its response is too large. Send or request less at once. */
        PayloadTooLarge: {
            headers: {
                "x-request-id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorResponse"] | components["schemas"]["GatewayError"];
            };
        };
        /** @description Send the body as JSON in UTF-8, without Content-Encoding. */
        UnsupportedMediaType: {
            headers: {
                "x-request-id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorResponse"];
            };
        };
        /** @description Some fields break a rule; nothing was stored. See details. */
        ValidationFailed: {
            headers: {
                "x-request-id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorResponseWithDetails"];
            };
        };
        /** @description Too many requests. Wait the number of seconds in Retry-After, then retry. */
        TooManyRequests: {
            headers: {
                "x-request-id": components["headers"]["RequestId"];
                "retry-after": components["headers"]["RetryAfter"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorResponse"] | components["schemas"]["GatewayError"];
            };
        };
        /** @description An internal error occurred. Quote request_id when you report it. */
        InternalError: {
            headers: {
                "x-request-id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorResponse"] | components["schemas"]["GatewayError"];
            };
        };
        /** @description The service is temporarily unavailable. It is safe to retry. */
        Unavailable: {
            headers: {
                "x-request-id": components["headers"]["RequestId"];
                "retry-after": components["headers"]["RetryAfter"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorResponse"] | components["schemas"]["GatewayError"];
            };
        };
    };
    parameters: never;
    requestBodies: never;
    headers: {
        /** @description Id of this request in our log. */
        RequestId: string;
        /** @description Seconds to wait before a retry. */
        RetryAfter: number;
        /** @description `Bearer error="insufficient_scope"`, with the scopes that the request needs as `scope` (RFC 6750, section 3). */
        ScopeChallenge: string;
        /** @description `Bearer`, with `error="invalid_token"` if the request has credentials (RFC 6750, section 3). */
        BearerChallenge: string;
        /** @description Present if the request has a deprecated field: when it was deprecated, as `@` and a Unix time (RFC 9745). Error responses have it too. */
        Deprecation: string;
        /** @description Present with `Deprecation`: the URL that explains the deprecation, with `rel="deprecation"`. */
        DeprecationLink: string;
    };
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    createToken: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** @description The same fields can be sent as `application/json`. */
        requestBody: {
            content: {
                "application/x-www-form-urlencoded": components["schemas"]["TokenRequest"];
            };
        };
        responses: {
            /** @description A token for the team that the client belongs to. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    /** @description `no-store`, as on every response of this operation. */
                    "cache-control"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Token"];
                };
            };
            /** @description The request is malformed, or the client cannot have the requested grant or scope. */
            400: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    /** @description `no-store`, as on every response of this operation. */
                    "cache-control"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TokenRequestRefusal"];
                };
            };
            /** @description The credentials are wrong, or the client is revoked. */
            401: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    /** @description `no-store`, as on every response of this operation. */
                    "cache-control"?: string;
                    /** @description `Basic`, with a realm. */
                    "www-authenticate"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ClientRefusal"];
                };
            };
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listContacts: {
        parameters: {
            query?: {
                /** @description Contacts per page */
                limit?: number;
                /** @description Contacts to skip. `cursor` is cheaper */
                offset?: number;
                /** @description Only contacts with this text in a text field or a metadata value. Ignores case. A phone is found however it is punctuated */
                search?: string;
                /** @description Only the contact with this `unique_id`. Sees every acknowledged write */
                unique_id?: string;
                /** @description Only contacts that were updated at this time or later */
                updated_since?: string;
                /** @description Field to sort by */
                sort_column?: "unique_id" | "name_title" | "name_first" | "name_last" | "name_suffix" | "address" | "address2" | "city" | "state" | "county" | "country" | "post_code" | "timezone" | "email" | "phone_home" | "phone_mobile" | "phone_work" | "birthdate" | "email_verified" | "email_opted_in" | "email_authorized" | "sms_verified" | "sms_opted_in" | "sms_authorized" | "unsubscribe_email" | "unsubscribe_sms" | "id" | "inserted_at" | "updated_at";
                /** @description Sort direction: ascending or descending */
                sort_direction?: "asc" | "desc";
                /** @description `next_cursor` of the previous page. Other parameters must be the same as before, or absent */
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of contacts */
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    /** @description URL of the next page with `rel="next"` (RFC 8288). Absent on the last page. */
                    link?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ContactList"];
                };
            };
            /** @description The request is malformed or has an invalid parameter. See details. */
            400: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponseWithDetails"] | components["schemas"]["GatewayError"];
                };
            };
            /** @description The access token is missing, expired or invalid. */
            401: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "www-authenticate": components["headers"]["BearerChallenge"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InvalidToken"];
                };
            };
            403: components["responses"]["InsufficientScope"];
            413: components["responses"]["PayloadTooLarge"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    upsertContacts: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ContactBatchInput"] | components["schemas"]["ContactInput"];
            };
        };
        responses: {
            /** @description The updated contact. For a batch: the created and the updated contacts, each in the order sent */
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    /** @description Entity tag of a single contact, for `If-Match` */
                    etag?: string;
                    deprecation: components["headers"]["Deprecation"];
                    link: components["headers"]["DeprecationLink"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Contact"] | components["schemas"]["ContactBatch"];
                };
            };
            /** @description The created contact */
            201: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    /** @description Entity tag, for `If-Match` */
                    etag?: string;
                    deprecation: components["headers"]["Deprecation"];
                    link: components["headers"]["DeprecationLink"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CreatedContact"];
                };
            };
            /** @description The request is malformed or has an invalid parameter. See details. */
            400: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponseWithDetails"] | components["schemas"]["GatewayError"];
                };
            };
            401: components["responses"]["InvalidToken"];
            403: components["responses"]["InsufficientScope"];
            413: components["responses"]["PayloadTooLarge"];
            /** @description Send the body as JSON in UTF-8, without Content-Encoding. */
            415: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Some fields break a rule; nothing was stored. See details. */
            422: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponseWithDetails"];
                };
            };
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getContact: {
        parameters: {
            query?: never;
            header?: {
                /** @description Entity tags of responses that the client has. If the current one is among them, the response is 304, without a body. */
                "If-None-Match"?: string;
            };
            path: {
                /** @description The resource's system id. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The contact */
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    /** @description Entity tag of the response (RFC 9110) */
                    etag?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Contact"];
                };
            };
            /** @description The client has the current representation */
            304: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    /** @description Entity tag of the response (RFC 9110) */
                    etag?: string;
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["InvalidToken"];
            403: components["responses"]["InsufficientScope"];
            /** @description The path or the object does not exist. */
            404: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    updateContact: {
        parameters: {
            query?: never;
            header?: {
                /** @description Entity tag of an earlier response. If it is not the current one, the response is 412 and nothing is stored. */
                "If-Match"?: string;
            };
            path: {
                /** @description The resource's system id. */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ContactInput"];
            };
        };
        responses: {
            /** @description The contact */
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    /** @description Entity tag of the updated contact */
                    etag?: string;
                    deprecation: components["headers"]["Deprecation"];
                    link: components["headers"]["DeprecationLink"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Contact"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["InvalidToken"];
            403: components["responses"]["InsufficientScope"];
            404: components["responses"]["NotFound"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            /** @description Some fields break a rule; nothing was stored. See details. */
            422: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponseWithDetails"];
                };
            };
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    updateContactByPatch: {
        parameters: {
            query?: never;
            header?: {
                /** @description Entity tag of an earlier response. If it is not the current one, the response is 412 and nothing is stored. */
                "If-Match"?: string;
            };
            path: {
                /** @description The resource's system id. */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ContactInput"];
            };
        };
        responses: {
            /** @description The contact */
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    /** @description Entity tag of the updated contact */
                    etag?: string;
                    deprecation: components["headers"]["Deprecation"];
                    link: components["headers"]["DeprecationLink"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Contact"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["InvalidToken"];
            403: components["responses"]["InsufficientScope"];
            404: components["responses"]["NotFound"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listContactAccounts: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The contact's system id. */
                contact_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The accounts linked to the contact, by account number */
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ContactAccount"][];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["InvalidToken"];
            403: components["responses"]["InsufficientScope"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["PayloadTooLarge"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    findBatch: {
        parameters: {
            query?: {
                /** @description Returns the status of this batch instead of a list */
                batch_id?: string;
                /** @description Returns only the chunk with this `chunk_index`, and all its rejected records */
                chunk_index?: number;
                /** @description Batches per page */
                limit?: number;
                /** @description `next_cursor` of the previous page */
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of batches, or the status of the batch with this `batch_id` */
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BatchList"] | components["schemas"]["BatchStatus"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["InvalidToken"];
            403: components["responses"]["InsufficientScope"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    createBatch: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["BatchInput"];
            };
        };
        responses: {
            /** @description The records are stored durably and will be applied */
            202: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BatchAcceptance"];
                };
            };
            /** @description The request is malformed or has an invalid parameter. See details. */
            400: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponseWithDetails"] | components["schemas"]["GatewayError"];
                };
            };
            401: components["responses"]["InvalidToken"];
            403: components["responses"]["InsufficientScope"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            /** @description Some fields break a rule; nothing was stored. See details. */
            422: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponseWithDetails"];
                };
            };
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getBatch: {
        parameters: {
            query?: {
                /** @description Returns only the chunk with this `chunk_index`, and all its rejected records */
                chunk_index?: number;
            };
            header?: never;
            path: {
                /** @description The id that the caller sent or that the service generated, percent-encoded. */
                batch_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The status of all chunks of the batch so far */
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BatchStatus"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["InvalidToken"];
            403: components["responses"]["InsufficientScope"];
            /** @description The path or the object does not exist. */
            404: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    createJourney: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The template's id. */
                template_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["JourneyInput"];
            };
        };
        responses: {
            /** @description The existing journey */
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    deprecation: components["headers"]["Deprecation"];
                    link: components["headers"]["DeprecationLink"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["StartedJourney"];
                };
            };
            /** @description The new journey */
            201: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    deprecation: components["headers"]["Deprecation"];
                    link: components["headers"]["DeprecationLink"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["StartedJourney"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["InvalidToken"];
            403: components["responses"]["InsufficientScope"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            /** @description Some fields break a rule; nothing was stored. See details. */
            422: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponseWithDetails"];
                };
            };
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    confirmJourney: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The template's id. */
                template_id: string;
                /** @description The journey's id. */
                journey_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["JourneyConfirmation"];
            };
        };
        responses: {
            /** @description The journey */
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Journey"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["InvalidToken"];
            403: components["responses"]["InsufficientScope"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            /** @description Some fields break a rule; nothing was stored. See details. */
            422: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponseWithDetails"];
                };
            };
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listJourneys: {
        parameters: {
            query: {
                /** @description System id of the contact */
                contact_id: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The journeys, oldest first. Empty for an unknown contact */
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ListedJourney"][];
                };
            };
            /** @description The request is malformed or has an invalid parameter. See details. */
            400: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponseWithDetails"] | components["schemas"]["GatewayError"];
                };
            };
            401: components["responses"]["InvalidToken"];
            403: components["responses"]["InsufficientScope"];
            413: components["responses"]["PayloadTooLarge"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listResponses: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The journey's id. */
                journey_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The responses, oldest first */
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ResponseList"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["InvalidToken"];
            403: components["responses"]["InsufficientScope"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["PayloadTooLarge"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    recordAction: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The journey's slug. */
                slug: string;
            };
            cookie?: never;
        };
        /** @description The same fields can be sent as `application/x-www-form-urlencoded`. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["PageAction"];
            };
        };
        responses: {
            /** @description The action was recorded. Sent if the request is JSON */
            204: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The action was recorded. Sent if the request is a form */
            303: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    /** @description URL of the journey, or of the same page if `stay` was sent */
                    location?: string;
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The request is malformed or has an invalid parameter. See details. */
            400: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponseWithDetails"] | components["schemas"]["GatewayError"];
                    "text/html": string;
                };
            };
            /** @description This request must come from a page of this service. Or: The person must prove their identity on the page first. */
            403: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                    "text/html": string;
                };
            };
            /** @description The path or the object does not exist. */
            404: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                    "text/html": string;
                };
            };
            /** @description This is no longer available. */
            410: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                    "text/html": string;
                };
            };
            /** @description The request or its response is too large. Send or request less at once. */
            413: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"] | components["schemas"]["GatewayError"];
                    "text/html": string;
                };
            };
            /** @description Send the body as JSON in UTF-8, without Content-Encoding. */
            415: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                    "text/html": string;
                };
            };
            /** @description Some fields break a rule; nothing was stored. See details. */
            422: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponseWithDetails"];
                    "text/html": string;
                };
            };
            /** @description Too many requests. Wait the number of seconds in Retry-After, then retry. */
            429: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "retry-after": components["headers"]["RetryAfter"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"] | components["schemas"]["GatewayError"];
                    "text/html": string;
                };
            };
            /** @description An internal error occurred. Quote request_id when you report it. */
            500: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"] | components["schemas"]["GatewayError"];
                    "text/html": string;
                };
            };
            /** @description The service is temporarily unavailable. It is safe to retry. */
            503: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "retry-after": components["headers"]["RetryAfter"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"] | components["schemas"]["GatewayError"];
                    "text/html": string;
                };
            };
        };
    };
    showJourney: {
        parameters: {
            query?: {
                /** @description Id of the page to show; `ending` for the ending of a completed journey */
                page?: string;
            };
            header?: never;
            path: {
                /** @description The journey's slug. */
                slug: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The page, or the questions that prove the identity */
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    /** @description Allows only the styles and scripts of the page itself, by hash */
                    "content-security-policy"?: string;
                    /** @description `no-store`, because the page is private */
                    "cache-control"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "text/html": string;
                };
            };
            400: components["responses"]["InvalidRequest"];
            /** @description The journey or the page does not exist, or is not open at the moment */
            404: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "text/html": string;
                };
            };
            /** @description The template is archived, or the journey has expired */
            410: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "text/html": string;
                };
            };
            429: components["responses"]["TooManyRequests"];
            /** @description Internal error */
            500: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "text/html": string;
                };
            };
            /** @description The service is temporarily unavailable */
            503: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "text/html": string;
                };
            };
        };
    };
    listTemplates: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description All templates of the team */
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TemplateList"];
                };
            };
            401: components["responses"]["InvalidToken"];
            403: components["responses"]["InsufficientScope"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getTemplate: {
        parameters: {
            query?: {
                /** @description With `true` the response has the field `has_survey_content_blocks` */
                has_survey_content_blocks?: boolean;
            };
            header?: never;
            path: {
                /** @description The resource's system id. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The template */
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TemplateDetails"];
                };
            };
            /** @description The request is malformed or has an invalid parameter. See details. */
            400: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponseWithDetails"] | components["schemas"]["GatewayError"];
                };
            };
            401: components["responses"]["InvalidToken"];
            403: components["responses"]["InsufficientScope"];
            /** @description The path or the object does not exist. */
            404: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listTemplateMessages: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The resource's system id. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The template messages */
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TemplateMessageList"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["InvalidToken"];
            403: components["responses"]["InsufficientScope"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listTemplatePages: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The resource's system id. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The template pages */
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TemplatePage"][];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["InvalidToken"];
            403: components["responses"]["InsufficientScope"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listObjectives: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The objectives */
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ObjectiveList"];
                };
            };
            401: components["responses"]["InvalidToken"];
            403: components["responses"]["InsufficientScope"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listEngagementChannels: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The engagement channels */
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EngagementChannelList"];
                };
            };
            401: components["responses"]["InvalidToken"];
            403: components["responses"]["InsufficientScope"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    searchContentContainers: {
        parameters: {
            query?: {
                /** @description Contacts whose `id` has this value */
                id?: string;
                /** @description Contacts whose `unique_id` has this value */
                unique_id?: string;
                /** @description Contacts whose `name_title` has this value */
                name_title?: string;
                /** @description Contacts whose `name_first` has this value */
                name_first?: string;
                /** @description Contacts whose `name_last` has this value */
                name_last?: string;
                /** @description Contacts whose `name_suffix` has this value */
                name_suffix?: string;
                /** @description Contacts whose `address` has this value */
                address?: string;
                /** @description Contacts whose `address2` has this value */
                address2?: string;
                /** @description Contacts whose `city` has this value */
                city?: string;
                /** @description Contacts whose `state` has this value */
                state?: string;
                /** @description Contacts whose `county` has this value */
                county?: string;
                /** @description Contacts whose `country` has this value */
                country?: string;
                /** @description Contacts whose `post_code` has this value */
                post_code?: string;
                /** @description Contacts whose `timezone` has this value */
                timezone?: string;
                /** @description Contacts whose `email` has this value */
                email?: string;
                /** @description Contacts whose `phone_home` has this value */
                phone_home?: string;
                /** @description Contacts whose `phone_mobile` has this value */
                phone_mobile?: string;
                /** @description Contacts whose `phone_work` has this value */
                phone_work?: string;
                /** @description Contacts whose `birthdate` has this value */
                birthdate?: string;
                /** @description Contacts whose `email_verified` has this value */
                email_verified?: string;
                /** @description Contacts whose `email_opted_in` has this value */
                email_opted_in?: string;
                /** @description Contacts whose `email_authorized` has this value */
                email_authorized?: string;
                /** @description Contacts whose `sms_verified` has this value */
                sms_verified?: string;
                /** @description Contacts whose `sms_opted_in` has this value */
                sms_opted_in?: string;
                /** @description Contacts whose `sms_authorized` has this value */
                sms_authorized?: string;
                /** @description Contacts whose `unsubscribe_email` has this value */
                unsubscribe_email?: string;
                /** @description Contacts whose `unsubscribe_sms` has this value */
                unsubscribe_sms?: string;
                /** @description Contacts whose `inserted_at` has this value */
                inserted_at?: string;
                /** @description Contacts whose `updated_at` has this value */
                updated_at?: string;
                /** @description Contacts whose `meta_public` has this value for the flattened key, as in `meta_public[core_id]=A-77310`. The key `a.b` can be sent as `[a][b]` */
                meta_public?: {
                    [key: string]: string;
                };
                /** @description Contacts whose `meta_private` has this value for the flattened key, as in `meta_private[core_id]=A-77310`. The key `a.b` can be sent as `[a][b]` */
                meta_private?: {
                    [key: string]: string;
                };
            };
            header?: never;
            path: {
                /** @description The engagement channel's id. */
                channel_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The URLs of the content and of the journey */
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ContentContainerReference"];
                };
            };
            /** @description The request is malformed or has an invalid parameter. See details. */
            400: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponseWithDetails"] | components["schemas"]["GatewayError"];
                };
            };
            401: components["responses"]["InvalidToken"];
            403: components["responses"]["InsufficientScope"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    showChannelContent: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The engagement channel's id. */
                channel_id: string;
                /** @description The last part of the `url` that the search returned. */
                reference: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The content */
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    /** @description Allows only the styles and scripts of the page itself, by hash. `frame-ancestors` lists the sites that may show it in a frame */
                    "content-security-policy"?: string;
                    /** @description `no-store` for content of a contact. The default content can be cached for a minute */
                    "cache-control"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "text/html": string;
                };
            };
            400: components["responses"]["InvalidRequest"];
            /** @description The URL is invalid: the search did not return it */
            404: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "text/html": string;
                };
            };
            429: components["responses"]["TooManyRequests"];
            /** @description Internal error */
            500: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "text/html": string;
                };
            };
            /** @description The service is temporarily unavailable */
            503: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "text/html": string;
                };
            };
        };
    };
    getOpenapi: {
        parameters: {
            query?: never;
            header?: {
                /** @description Entity tags of responses that the client has. If the current one is among them, the response is 304, without a body. */
                "If-None-Match"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The interface as an OpenAPI 3.1 document. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    /** @description How long the response can be cached. */
                    "cache-control"?: string;
                    /** @description Entity tag of the response (RFC 9110) */
                    etag?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OpenApiDocument"];
                };
            };
            /** @description The client has the current representation */
            304: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    /** @description Entity tag of the response (RFC 9110) */
                    etag?: string;
                    [name: string]: unknown;
                };
                content?: never;
            };
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getOauthMetadata: {
        parameters: {
            query?: never;
            header?: {
                /** @description Entity tags of responses that the client has. If the current one is among them, the response is 304, without a body. */
                "If-None-Match"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Authorization server metadata (RFC 8414). */
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    /** @description How long the response can be cached. */
                    "cache-control"?: string;
                    /** @description Entity tag of the response (RFC 9110) */
                    etag?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AuthorizationServer"];
                };
            };
            /** @description The client has the current representation */
            304: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    /** @description Entity tag of the response (RFC 9110) */
                    etag?: string;
                    [name: string]: unknown;
                };
                content?: never;
            };
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getJwks: {
        parameters: {
            query?: never;
            header?: {
                /** @description Entity tags of responses that the client has. If the current one is among them, the response is 304, without a body. */
                "If-None-Match"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A JSON Web Key Set (RFC 7517). */
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    /** @description How long the response can be cached. */
                    "cache-control"?: string;
                    /** @description Entity tag of the response (RFC 9110) */
                    etag?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["JsonWebKeySet"];
                };
            };
            /** @description The client has the current representation */
            304: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    /** @description Entity tag of the response (RFC 9110) */
                    etag?: string;
                    [name: string]: unknown;
                };
                content?: never;
            };
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
}
