import * as z from 'zod';
import { sentAnswers, shownLanguage } from '../../domain/journeys/answer.ts';
import { pageActionTypes } from '../../domain/journeys/completion.ts';
import { contract } from '../contract.ts';
import type * as responses from '../responses/pages.ts';

const actionFields = {
  type: z.enum(pageActionTypes, 'must be page_viewed or page_completed').describe('Type of the action'),
  answers: sentAnswers()
    .default([])
    .describe('With `page_completed`: the answers. If one declines, the page is not completed'),
  language: shownLanguage(),
};

/** Scripts send JSON. A browser without scripts sends a form. */
const mediaTypes = ['application/json', 'application/x-www-form-urlencoded'] as const;
const problems = [
  ...(['invalid_request', 'unsupported_media_type', 'validation_failed'] as const),
  ...(['forbidden', 'identity_required', 'conflict'] as const),
];

/** An action that the journey page reports. Unknown fields of a form, such as the name of its button, are ignored. */
export const pageAction = z
  .looseObject({
    ...actionFields,
    page_id: z.string('must be a string').toLowerCase().describe('A page of the journey’s template'),
    next: z
      .unknown()
      .optional()
      .describe('For a form: with any value, the redirect leads to what follows the page, which says what was saved'),
  })
  .meta({ id: 'PageAction', description: 'An action on a page' });

export const recordAction = contract<typeof responses.recordAction>()({
  id: 'record-action',
  tag: 'Journeys',
  summary: 'Record an action on a page of a journey',
  description:
    'Called by the journey page itself. Anyone who knows the slug can call it. Each type counts once for each page. A ' +
    'later view only updates `last_viewed`. Only a page with the condition `view`, `confirm` or `action` can be ' +
    'completed here, and only if the journey page would show it. If the page needs a proof of identity, the request ' +
    'needs the cookie of `POST /j/{slug}/identity`. A person has at most 50 answers to one block: a further one is a 409, ' +
    'and nothing is recorded. A request with `Sec-Purpose` or `Purpose`, which a browser sends before a visit, records ' +
    'nothing.',
  ownBody: { mediaTypes, schema: pageAction },
  hasErrorPages: true,
  problems: [...problems, 'gone'],
});

/** The reference determines the page. Other fields of the form are ignored. */
export const contentAction = z
  .looseObject(actionFields)
  .meta({ id: 'ContentAction', description: 'An action on the page whose content is shown' });

export const recordContentAction = contract<typeof responses.recordContentAction>()({
  id: 'record-content-action',
  ofOwnPages: true,
  tag: 'Engagement channels',
  summary: 'Record an action on content in a frame',
  description:
    'Called by the content itself. Actions count on the journey as those of the journey page do: each type once for ' +
    'each page. Only a page with the condition `view`, `confirm` or `action` can be completed here. A page that needs ' +
    'a proof of identity cannot, because a person cannot give one in a frame.',
  ownBody: { mediaTypes, schema: contentAction },
  hasErrorPages: true,
  problems,
});
