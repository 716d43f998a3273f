import { responses } from '../contract.ts';

const headers = {
  'content-security-policy': 'Allows only the styles and scripts of the page itself, by hash',
  'cache-control': '`no-store`, because the page is private',
};

const pageErrors = {
  404: { description: 'The journey or the page does not exist, or is not open at the moment', mediaType: 'text/html' },
  410: { description: 'The template is archived, or the journey has expired', mediaType: 'text/html' },
  500: { description: 'Internal error', mediaType: 'text/html' },
  503: { description: 'The service is temporarily unavailable', mediaType: 'text/html' },
} as const;

export const showJourney = responses({
  200: { description: 'The page, or the questions that prove the identity', mediaType: 'text/html', headers },
  302: {
    description: 'The slug is followed by punctuation, which a mail program has added to the link',
    headers: { location: 'Path of the journey' },
  },
  ...pageErrors,
});

export const askIdentity = responses({
  200: { description: 'The questions', mediaType: 'text/html', headers },
  303: { description: 'There is nothing to prove', headers: { location: 'URL of the journey page' } },
  ...pageErrors,
});

export const checkIdentity = responses({
  303: {
    description: 'The identity is proved, the proof was removed, or there was nothing to prove',
    headers: { location: 'URL of the journey page', 'set-cookie': 'The proof, or its removal' },
  },
  ...pageErrors,
  403: { description: 'The form came from another site', mediaType: 'text/html' },
  422: {
    description:
      'The answers do not match what is on file (the page does not say which one), answers are missing, or too little is on file',
    mediaType: 'text/html',
  },
  429: {
    description: 'No attempt is accepted at the moment',
    mediaType: 'text/html',
    headers: { 'retry-after': 'Seconds to wait. Absent if only an administrator can allow more attempts' },
  },
});

export const recordView = responses({
  200: { description: 'An image of one transparent pixel', mediaType: 'image/gif' },
});

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

export const showChannelContent = responses({
  200: {
    description: 'The content',
    mediaType: 'text/html',
    headers: {
      'content-security-policy':
        'Allows only the styles and scripts of the page itself, by hash. `frame-ancestors` lists the sites that may show it in a frame',
      'cache-control': '`no-store` for content of a contact. The default content can be cached for a minute',
    },
  },
  404: { description: 'The URL is invalid: the search did not return it', mediaType: 'text/html' },
  500: { description: 'Internal error', mediaType: 'text/html' },
  503: { description: 'The service is temporarily unavailable', mediaType: 'text/html' },
});

export const recordContentView = responses({
  200: { description: 'An image of one transparent pixel', mediaType: 'image/gif' },
});
