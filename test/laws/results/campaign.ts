import { randomUUID } from 'node:crypto';

/** A campaign with a page to view, a survey, and a page that completes by an objective. */
export const templateId = randomUUID();
export const pages = { view: randomUUID(), survey: randomUUID(), objective: randomUUID() };
const [block, objective] = [randomUUID(), randomUUID()];
const questions = [{ text: 'How?', key: 'how', options: ['Well', 'Badly'] }];
const content_blocks = [{ id: block, type: 'survey', data: { questions } }];
const condition = { completion_condition: 'objective', objective_id: objective };

export const content = {
  objectives: [{ id: objective, key: 'enrolled', name: 'Enrolled' }],
  templates: [
    {
      ...{ id: templateId, name: 'Counted', status: 'live' },
      template_pages: [
        { order: 1, page: { id: pages.view, content_name: 'Welcome', completion_condition: 'view' } },
        {
          order: 2,
          page: { id: pages.survey, content_name: 'Survey', completion_condition: 'confirm', content_blocks },
        },
        { order: 3, page: { id: pages.objective, content_name: 'Enrol', ...condition } },
      ],
    },
  ],
};

const answer = (value: string) => ({
  ...{ type: 'page_completed', page_id: pages.survey },
  answers: [{ block_id: block, values: [{ question: 'how', value }] }],
});

/** What person `n` sends to the journey page, in this order. The latest answer counts. */
export const actionsOf = (n: number): object[] => [
  ...(n % 2 === 0 ? [{ type: 'page_viewed', page_id: pages.view }] : []),
  ...(n % 3 === 0 ? [answer('Well')] : []),
  ...(n % 15 === 0 ? [answer('Badly')] : []),
];
export const isEnrolled = (n: number): boolean => n % 4 === 0;
export const isConfirmed = (n: number): boolean => n % 7 === 0;
/** Nothing ever happens to the journey of this person. */
export const isQuiet = (n: number): boolean => actionsOf(n).length === 0 && !isEnrolled(n) && !isConfirmed(n);

/** The results of the persons from 0 to below `size`, counted by hand. */
export function expectedOf(size: number) {
  const every = (step: number) => Math.ceil(size / step);
  const both = every(15);
  return {
    journeys: { created: size, opened: every(2), completed: every(12), verified: every(7) },
    pages: [
      [every(2), every(2), 0],
      [0, every(3), 0],
      [0, every(4), 0],
    ],
    answers: [every(3) - both, both],
  };
}
