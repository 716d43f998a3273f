/** All checks: each file adds its own to the list. */
import './common.ts';
import './tokens.ts';
import './scopes.ts';
import './contacts.ts';
import './meta.ts';
import './contact-rules.ts';
import './contact-batches.ts';
import './contact-list.ts';
import './accounts.ts';
import './account-links.ts';
import './batches.ts';
import './batch-status.ts';
import './journeys.ts';
import './completion.ts';
import './live-edits.ts';
import './answers.ts';
import './results.ts';
import './events.ts';
import './feed.ts';
import './templates.ts';
import './template-lists.ts';
import './channels.ts';
import './administration.ts';
import './erasure.ts';
import './pages.ts';
import './identity.ts';

export { checks } from './suite.ts';
