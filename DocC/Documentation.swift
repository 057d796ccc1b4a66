// This target has no code: it holds the documentation catalog beside this file.
