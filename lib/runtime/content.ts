import { newSlug } from '../auth/secrets.ts';
import type { ContactDependencies } from '../operations/contacts/dependencies.ts';
import { ContentCatalogue } from '../store/content.ts';
import { environment, now, once } from './base.ts';
import { catalogue } from './products.ts';
import { pause, runtime } from './table.ts';

/** Apart from `table.ts`, so that functions which need no campaign content do not load its schemas. */

/** Campaign content; what was read of it is kept with the instance. */
export const contents = once(() => new ContentCatalogue(runtime().database, now));

/** For the functions that write contacts, or start journeys. */
export const contacts = (): ContactDependencies => ({ ...runtime(), pause, newSlug, content: contents() });

/** For the functions that tell how far journeys have come. */
export const progress = () => ({ ...runtime(), content: contents(), catalogue: catalogue() });

/** For the functions that record what was done on pages. */
export const recording = () => ({ ...progress(), pause, baseUrl: environment().ISSUER });
