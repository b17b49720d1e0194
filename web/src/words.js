// The texts of the script, in the language of the page.

import { both as bothInGerman, script as scriptInGerman } from './words.de.json';
import { both, script } from './words.en.json';

const isGerman = document.documentElement.lang.startsWith('de');
export const words = isGerman ? { ...bothInGerman, ...scriptInGerman } : { ...both, ...script };

// Fills the placeholders of a text, which are names in braces.
export const fill = (text, values) => text.replace(/{(\w+)}/g, (_, name) => values[name]);
