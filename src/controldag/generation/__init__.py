"""The parts of the pipeline: settings of a checkpoint, what an input demands, decoders by name, results."""
