/** What the copy of the template for the emulator leaves out, by type. The stack itself is never changed. */
export const leftOut: Readonly<Record<string, string>> = {
  'AWS::SecretsManager::ResourcePolicy':
    'the emulator has no such resource; that only the token function reads the keys is not tried',
  'AWS::SecretsManager::RotationSchedule':
    'the emulator has no such resource; the rehearsal invokes the four steps of a rotation itself',
  'AWS::CloudFormation::Stack':
    'it has only alarms, the dashboard and deployment groups, and the emulator has no alarms with metric math',
};

/** Outputs that refer to resources of these types are left out: the emulator does not have their attributes. */
export const withoutAttributes: ReadonlySet<string> = new Set(['AWS::SES::EmailIdentity']);

/** For resources of a type that the emulator does not have, if no rule above gives a reason. */
export const unknownType = 'the emulator has no such resource';

/** `Ref` of these resources is replaced by this attribute, which has the value that `Ref` has on AWS. */
export const references: Readonly<Record<string, { attribute: string; why: string }>> = {
  'AWS::SecretsManager::Secret': {
    attribute: 'Id',
    why: 'for the emulator, Ref of a secret is its name; the attribute Id is its ARN, as Ref is on AWS',
  },
};

/** Why parts of policies are kept that the rehearsal does not show to be needed, by their beginning. */
export const kept: Readonly<Record<string, string>> = {
  'createbatch Delete': 'a chunk that failed is sent again',
  'createbatch Send': 'no invocation fails: the chunk is stored, and the sweeper wakes its worker',
  'createjourney Write dynamodb:UpdateItem': 'an update that removes two attributes',
  'createtoken Write CLIENT#*': 'no invocation fails: when a client was last used is noted if possible',
  'createtoken Write arn:': 'no invocation fails: when a client was last used is noted if possible',
  'createtoken Write dynamodb:PartiQLUpdate': 'no invocation fails: when a client was last used is noted if possible',
  'dropboxreader Delete': 'a chunk that failed is sent again',
  'dropboxreader Forward': 'a file that waits for hours for its accounts',
  'dropboxreader ReadFiles arn:': 'files of contacts, and long files',
  'dropboxreader Write EXPECTED': 'a file that is expected',
  'dropboxreader Write S#*': 'contacts in a file that start journeys',
  'dropboxreader WriteFiles arn:': 'long files',
  'erasecontact Write dynamodb:PartiQLUpdate': 'a contact that was created again while the earlier one is being erased',
  'erasureworker Write dynamodb:PartiQLInsert':
    'a contact whose links are still being moved after a change of its `unique_id`',
  'eventpublisher Notify': 'no invocation fails: the schedule wakes webhooks too',
  'eventpublisher Send': 'more completions than one invocation may look at',
  'eventpublisher Write T#*#Q#*': 'more completions than one invocation may look at',
  'eventpublisher Query': 'no invocation fails: the schedule wakes webhooks too',
  'getbatch Read T#*': 'the status of one chunk',
  'getfile ReadImages': 'the response is 404: S3 also denies access to what does not exist',
  'importsweeper Delete': 'the queue accepts no wake, so the sweeper works the chunks itself',
  'importsweeper Read': 'the queue accepts no wake, so the sweeper works the chunks itself',
  'importsweeper Send': 'a team whose message was lost; no invocation fails, because it works the chunks itself',
  'importsweeper Write': 'the queue accepts no wake, so the sweeper works the chunks itself',
  'importworker Delete T#*#Q#*': 'more completions than one invocation of the publisher may look at',
  'importworker Send': 'more work than one invocation can do',
  'importworker Write dynamodb:PutItem': 'a chunk that fails',
  'recordcontentaction all': 'only the script and the forms of channel content call it',
  'searchcontentcontainers Lookup arn:': 'a team with four lookup fields',
  'searchcontentcontainers Write T#*#C#*': 'a page that is skipped before the publisher records that it is completed',
  'showchannelcontent Write': 'a page that is shown before the publisher records that it is completed',
  'showjourney Write': 'a page that is shown before the publisher records that it is completed',
  'updatecontact Write dynamodb:UpdateItem': 'an update that removes two attributes',
  'upsertcontacts Write dynamodb:UpdateItem': 'an update that removes two attributes',
  'webhookdelivery Delete': 'webhooks that were removed, or whose events were received or given up',
  'webhookdelivery Notify': 'no invocation fails: the schedule wakes webhooks too',
  'webhookdelivery Record': 'a receiver that responds 410',
  'webhookdelivery Write dynamodb:PartiQLUpdate': 'events that their receiver takes at once',
};

/** What the rehearsal cannot try at all, on any template. */
export const notTried: readonly string[] = [
  'Real throttling, timeouts, memory limits, concurrency limits and cold start times of Lambda and DynamoDB.',
  'Alarms, metric filters and the dashboard. Log groups and notifications are created but not used.',
  'The permissions of the queue triggers to receive and delete messages: the emulator receives them itself.',
  'The permission of a function to write its log: the emulator writes it itself.',
  'The refusal of plain HTTP and of old TLS versions: the emulator is reached by plain HTTP, which counts as TLS.',
  'Encryption keys, point-in-time recovery, deletion protection, lifecycle rules and versions of buckets.',
  'A custom domain, its certificate, and anything in front of the API.',
  'The permissions of the person or pipeline that deploys: the rehearsal deploys as the root user of the emulator.',
];
