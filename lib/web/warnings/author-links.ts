/** Pages that are for the authors of a document or a site. `at` is matched with the host and the path. */
const pages: readonly { at: RegExp; is: string; instead: string }[] = [
  {
    at: /^docs\.google\.com\/(?:document|spreadsheets|presentation|forms|drawings)\/.*\/edit$/,
    is: 'opens the document for editing',
    instead: 'write the link that you get with "Publish to web" or "Send", or store the document on your site',
  },
  {
    at: /^(?:www\.)?canva\.com\/design\/.*\/edit$/,
    is: 'opens the design for editing',
    instead: 'write a link for viewers',
  },
  {
    at: /^(?:www\.)?figma\.com\/(?:file|design|proto|board|slides)\//,
    is: 'opens a design in Figma',
    instead: 'write the URL of the page itself',
  },
  {
    at: /^(?:www\.)?notion\.so\/./,
    is: 'opens a page of a workspace in Notion',
    instead: 'write the URL of the published site (`….notion.site`)',
  },
  {
    at: /^(?:www\.)?dropbox\.com\/(?:home|preview|work)(?:\/|$)/,
    is: 'opens the files of a Dropbox account',
    instead: 'write a shared link, or store the file on your site',
  },
  {
    at: /^[\w-]+\.sharepoint\.com\/(?:.*\/)?(?::[a-z]:\/r\/|_layouts\/)/,
    is: 'opens a file of SharePoint for those who have access already',
    instead: 'store the file on your site',
  },
  {
    at: /\/wp-(?:admin|login\.php)(?:\/|$)/,
    is: 'opens the administration of the site',
    instead: 'write the URL of the published page',
  },
];

/** Parts of a host before the domain. `test` and `stage` are words of sites for people too. */
const testHost = /^(?:(?:.*[.-])?(?:staging|stg|uat|preprod|pre-prod)(?:[.-].*)?|(?:.*\.)?(?:dev|qa)(?:\..*)?)$/;
const tunnel = /\.(?:ngrok\.io|ngrok(?:-free)?\.(?:app|dev)|loca\.lt|trycloudflare\.com)$/;

/** Why a URL that can be opened is probably not for the people who see a page. @param url with an allowed scheme */
export function reasonForAuthors(url: string): string | undefined {
  if (!URL.canParse(url)) return undefined;
  const { hostname, pathname, searchParams } = new URL(url);
  const found = pages.find(({ at }) => at.test(hostname + pathname));
  if (found) return `${found.is}: ${found.instead}`;
  const isPreview =
    /^(?:true|1)$/i.test(searchParams.get('preview') ?? '') ||
    searchParams.has('preview_id') ||
    searchParams.has('preview_nonce');
  if (isPreview) return 'opens the preview of a page: write the URL of the published page';
  const isTest =
    testHost.test(hostname.split('.').slice(0, -2).join('.')) || /-(?:staging|uat|preprod)\.[a-z]+$/.test(hostname);
  return isTest || tunnel.test(hostname)
    ? `has the host \`${hostname}\`, which is probably that of a test system: write the host of the published site`
    : undefined;
}
