import { responses } from '../contract.ts';

export const recordAction = responses({
  204: { description: 'The action was recorded. Sent if the request is JSON' },
  303: {
    description: 'The action was recorded. Sent if the request is a form',
    headers: { location: 'URL of the journey, or of what follows the page if `next` was sent' },
  },
});

export const recordContentAction = responses({
  204: { description: 'The action was recorded. Sent if the request is JSON' },
  303: {
    description:
      'Sent if the request is a form. The action was recorded, unless the content no longer exists, which the page then says',
    headers: { location: 'URL of the content' },
  },
});
