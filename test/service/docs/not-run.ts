/**
 * Code blocks that no test runs, by page, each with its first line and the reason. Everything else in the pages is run.
 * A page under `*` has only blocks of the language `console`, which no test runs for that one reason.
 */
export const notRun: Record<string, readonly { first: string; reason: string }[]> = {
  'README.md': [
    { first: 'npm ci && npm start', reason: 'the service of the whole run is started by that very script' },
    { first: 'npm ci && npm test', reason: 'is what runs this test' },
    { first: 'npm run demo', reason: 'takes many seconds; test/service/demo runs it' },
  ],
  'docs/getting-started.md': [
    { first: 'npm ci && npm start', reason: 'the service of the whole run is started by that very script' },
    { first: '*', reason: 'needs the id of a team; test/service/teams/team-reset.test.ts runs the verbs' },
  ],
  'docs/contacts-and-identity.md': [
    {
      first: '*',
      reason: 'needs an AWS account, or minutes; test/unit/erasure and test/laws/erasure-proof do the same',
    },
  ],
  'docs/campaigns.md': [
    {
      first: 'npm run preview -- campaign.json',
      reason: 'does not end by itself; test/browser/preview-edit.test.ts runs it',
    },
    { first: '*', reason: 'needs the ids of a team and a message; test/service/messages runs the verbs' },
  ],
  'docs/targeting.md': [{ first: '*', reason: 'needs the id of a team; test/service/targeting runs the verbs' }],
  'docs/security.md': [
    { first: '*', reason: 'needs the ids of a team, a client and a journey; test/service runs the verbs' },
  ],
  'docs/events.md': [{ first: '*', reason: 'needs the ids of a team and a webhook; test/service runs the verbs' }],
  'docs/testing.md': [{ first: '*', reason: 'takes minutes; test/laws/imports runs a part of it' }],
  'docs/runbook.md': [
    { first: '*', reason: 'needs an AWS account; test/unit/infra/runbook.test.ts checks what it names' },
  ],
  'docs/deployment.md': [
    {
      first: '*',
      reason: 'needs an AWS account, or Python and minutes; test/unit/infra and test/judges/acceptance do the same',
    },
  ],
  'docs/cost.md': [{ first: '*', reason: 'test/unit/bench runs the command and compares its output' }],
};
