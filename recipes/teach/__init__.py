"""Teaching by texts that are right: invented services and facts said plainly, DART said by a model and verified."""
