import { responses } from '../contract.ts';

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
