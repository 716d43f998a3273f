import type { Route } from './route.ts';

/**
 * The pages of journeys and engagement channels, with the requests that they send. A browser opens them without an
 * access token. This file imports only types.
 */

/** Records completions, which are inserts, in the partition of the contact. */
export const recordsCompletions = { partitions: ['T#*#C#*'], by: ['PartiQLInsert'] } as const;
/** The first view of a page is an insert, a later one an update. */
const recordsViews = { partitions: ['T#*#C#*'], by: ['PartiQLInsert', 'PartiQLUpdate'] } as const;
/** Also answers, in one transaction with the completion. */
const recordsActions = {
  partitions: ['T#*#C#*'],
  by: ['PartiQLInsert', 'PartiQLUpdate', 'PutItem', 'UpdateItem'],
} as const;

export const journeyPageRoutes = [
  {
    id: 'record-action',
    methods: ['POST'],
    path: '/j/{slug}/actions',
    file: 'functions/journeys/record-action.ts',
    access: 'public',
    grants: { read: ['S#*', 'T#*'], queries: ['T#*'], write: recordsActions },
  },
  {
    id: 'show-journey',
    methods: ['GET'],
    path: '/j/{slug}',
    file: 'functions/journeys/show.ts',
    access: 'public',
    // Queries the contact aggregate. A completion that is shown for the first time is recorded.
    grants: { read: ['S#*', 'T#*'], queries: ['T#*'], write: recordsCompletions },
  },
  {
    id: 'ask-identity',
    methods: ['GET'],
    path: '/j/{slug}/identity',
    file: 'functions/journeys/ask-identity.ts',
    access: 'public',
    // Queries the contact aggregate.
    grants: { read: ['S#*', 'T#*'], queries: ['T#*'] },
  },
  {
    id: 'check-identity',
    methods: ['POST'],
    path: '/j/{slug}/identity',
    file: 'functions/journeys/check-identity.ts',
    access: 'public',
    // Queries the contact aggregate and writes the count of identity attempts.
    grants: {
      read: ['S#*', 'T#*'],
      queries: ['T#*'],
      write: { partitions: ['T#*#C#*'], by: ['PartiQLInsert', 'PartiQLUpdate'] },
    },
  },
  {
    id: 'record-view',
    methods: ['GET'],
    path: '/j/{slug}/pages/{page_id}/viewed.gif',
    file: 'functions/journeys/record-view.ts',
    access: 'public',
    grants: { read: ['S#*', 'T#*'], queries: ['T#*'], write: recordsViews },
  },
] as const satisfies readonly Route[];

export const channelPageRoutes = [
  {
    id: 'show-channel-content',
    methods: ['GET'],
    path: '/c/{channel_id}/{reference}',
    file: 'functions/engagement-channels/show-content.ts',
    access: 'public',
    // Queries the contact aggregate. A completion that is shown for the first time is recorded.
    grants: { read: ['T#*'], queries: ['T#*'], write: recordsCompletions },
    isFramed: true,
  },
  {
    id: 'record-content-action',
    methods: ['POST'],
    path: '/c/{channel_id}/{reference}/actions',
    file: 'functions/engagement-channels/record-content-action.ts',
    access: 'public',
    grants: { read: ['T#*'], queries: ['T#*'], write: recordsActions },
  },
  {
    id: 'record-content-view',
    methods: ['GET'],
    path: '/c/{channel_id}/{reference}/viewed.gif',
    file: 'functions/engagement-channels/record-content-view.ts',
    access: 'public',
    grants: { read: ['T#*'], queries: ['T#*'], write: recordsViews },
  },
] as const satisfies readonly Route[];
