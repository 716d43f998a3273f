import { results } from '../../domain/results.ts';
import { templateResponseList } from '../../domain/template-list-responses.ts';
import { nextPage, responses } from '../contract.ts';

export const getTemplateResults = responses({ 200: { description: 'The results', schema: results } });

export const listTemplateResponses = responses({
  200: {
    description: 'A page of the responses, oldest first. It can have fewer than `limit` responses',
    schema: templateResponseList,
    headers: nextPage,
  },
});
