/**
 * The style of the editors, for their shadow roots. It is a text in a script,
 * since the page's policy permits no `fetch()` and no style in HTML.
 * @module
 */

export const editorStyle = new CSSStyleSheet();
editorStyle.replaceSync(`
/* Style of the editors, in their shadow roots. */
.cm-editor {
  color: var(--text);
  font-size: var(--code-size);

  &.cm-focused {
    outline: none;
  }

  .cm-scroller {
    font-family: var(--mono);
    line-height: 1.6;
  }

  .cm-content {
    padding: 0.5rem 0;
    caret-color: var(--text);
  }

  .cm-line {
    padding: 0 0.75rem;
  }

  .cm-gutters {
    padding-inline-start: 0.5rem;
    border: 0;
    background: var(--raised);
    color: var(--soft);
  }

  .cm-placeholder {
    max-width: calc(100vw - 6rem);
    color: var(--soft);
    white-space: normal;
  }

  .cm-foldPlaceholder,
  .cm-specialChar {
    display: inline-block;
    padding: 0 0.25em;
    border: 1px solid var(--edge);
    color: var(--text);
    font-size: 0.75em;
  }

  .cm-cr {
    border-color: transparent;
    color: var(--soft);
  }

  .cm-wrongLine {
    background: var(--wrong-line);
  }

  .cm-wrong {
    border-bottom: 2px solid var(--wrong);
    background: var(--wrong-place);
  }

  &.cm-focused .cm-matchingBracket {
    outline: 1px solid var(--accent);
    background: var(--wash);
  }

  &.cm-focused .cm-nonmatchingBracket {
    background: none;
  }

  .cm-searchMatch {
    background: var(--found);
  }

  .cm-searchMatch-selected {
    outline: 2px solid var(--accent);
  }

  .cm-panels {
    border-bottom: 1px solid var(--line);
    background: var(--ground);
    color: var(--text);
  }

  .cm-panel.cm-search {
    display: flex;
    flex-wrap: wrap;
    align-items: center;
    gap: 0.25rem 0.5rem;
    padding: 0.5rem 2.5rem 0.5rem 0.75rem;

    &,
    :is(input, button, label) {
      margin: 0;
      font: 0.8125rem/1.5 system-ui, sans-serif;
    }

    label {
      display: inline-flex;
      align-items: center;
      gap: 0.25rem;
      min-height: var(--small-control);
    }

    .cm-textfield {
      flex: 0 1 14rem;
      min-width: 8rem;
      font-size: max(0.8125rem, var(--field-size));
    }

    /* Replacing begins a row of its own. */
    br {
      display: none;
    }

    [name="replace"].cm-textfield {
      margin-inline-end: 6.5rem;
    }

    .places {
      min-width: 6rem;
      color: var(--soft);
    }

    [name="close"] {
      min-width: 1.75rem;
      font-size: 1.125rem;
    }

    @media (max-width: 40rem) {
      [name^="replace"],
      [name="select"] {
        display: none;
      }
    }
  }

  :is(.cm-textfield, .cm-button) {
    min-height: max(1.75rem, var(--small-control));
    padding: 0.125rem 0.5rem;
    border: 1px solid var(--edge);
    border-radius: 6px;
    background: var(--raised);
  }
}

.cm-panel :focus-visible {
  outline: 2px solid var(--accent);
  outline-offset: 1px;
}

/* A result that is out of date changes its colours after a pause. */
.cm-editor,
[class^="tok-"] {
  transition: color 0s var(--pause, 0s);
}

.tok-propertyName {
  color: var(--name);
}

.tok-string {
  color: var(--string);
}

.tok-number {
  color: var(--number);
}

.tok-bool,
.tok-keyword {
  color: var(--word);
}

@media (forced-colors: active) {
  .cm-editor .cm-wrongLine {
    border-block: 2px solid;
  }
}
`);
