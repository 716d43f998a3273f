import { noun } from '../verb.ts';
import { runningVerbs } from './running.ts';

export const verbs = noun('Targeting: campaigns that find their people by themselves', { ...runningVerbs });
