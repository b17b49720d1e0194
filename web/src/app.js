// What each page does in addition to its HTML; every part starts only if its elements exist.

import { startCopying } from './copying.js';
import { startEditor } from './editor.js';
import { startExplorer } from './explorer.js';
import { startFigurines } from './figurines.js';
import { startCompletion, startLists } from './filters.js';
import { startKeys } from './keys.js';
import { startMenus } from './menus.js';
import { startReplay } from './replay.js';
import { startLanguages, startScheme } from './scheme.js';
import { startSelecting } from './select.js';
import { startSuggestions } from './suggest.js';
import { startVariation } from './variation.js';

startScheme();
startLanguages();
startFigurines();
startKeys();
startMenus();
startSuggestions();
startCompletion();
startCopying();
startExplorer();
startLists();
startSelecting();
startReplay();
startEditor();
startVariation();
document.documentElement.dataset.script = 'on';
